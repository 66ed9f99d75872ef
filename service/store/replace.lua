#!lua
-- Put an entry of a hash in the place of one that is as it was read: 1, or 0 when somebody else has changed it.
--
-- KEYS  the hash
-- ARGV  the name of the entry, what was read, what is to stand there

if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
