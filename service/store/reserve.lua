#!lua
-- Count an encounter among those that its owner has open: 1, or 0 if it was counted already. When they are as many as
-- allowed, answer those that were counted a while ago: some of them may have expired.
--
-- KEYS  the owner's open encounters by the time when they were counted
-- ARGV  the encounter's id, how many are allowed, seconds to live, seconds of a while

local open, id, allowed, ttl, while_ = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = tonumber(redis.call('TIME')[1])

local counted = redis.call('ZSCORE', open, id)
if not counted then
  if redis.call('ZCARD', open) >= allowed then
    return redis.call('ZRANGEBYSCORE', open, '-inf', now - while_)
  end
  redis.call('ZADD', open, now, id)
end
if redis.call('TTL', open) < ttl then
  redis.call('EXPIRE', open, ttl)
end
return counted and 0 or 1
