#!lua flags=no-writes
-- Whether this server and this user can do all that the scripts do; a script that is refused in its middle has
-- written its first half. ARGV: a key and a channel, as ours are named.

local key, channel = ARGV[1], ARGV[2]
local needed = {
  {'HMGET', key, 'a'}, {'HGET', key, 'a'}, {'HSET', key, 'a', 'b'}, {'EXPIRE', key, '1'}, {'EXISTS', key}, {'TTL', key},
  {'XADD', key, '1-0', 'a', 'b'}, {'XRANGE', key, '-', '+'}, {'XREVRANGE', key, '+', '-'},
  {'GET', key}, {'SET', key, 'a', 'PX', '1'}, {'HGETALL', key},
  {'ZADD', key, '1', 'a'}, {'ZREM', key, 'a'}, {'ZCARD', key}, {'ZSCORE', key, 'a'}, {'ZRANGE', key, '0', '-1'},
  {'ZRANGEBYSCORE', key, '-inf', '1'}, {'TIME'},
  {'PUBLISH', channel, 'a'}, {'SUBSCRIBE', channel}, {'UNSUBSCRIBE', channel},
  {'EVAL', '', '1', key}, {'EVALSHA', '', '1', key},
}
for _, command in ipairs(needed) do
  if not redis.acl_check_cmd(unpack(command)) then
    return redis.error_reply('NOPERM the user of the store may not ' .. table.concat(command, ' '))
  end
end
return redis.status_reply('OK')
