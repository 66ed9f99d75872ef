#!lua
-- Count an encounter among those that its owner has open: 1, or 0 if it was counted already, or all of them if they are
-- as many as allowed.
--
-- KEYS  the set of the owner's open encounters
-- ARGV  the encounter's id, how many are allowed, seconds to live

local open, id, allowed, ttl = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local counted = redis.call('SISMEMBER', open, id) == 1
if not counted then
  if redis.call('SCARD', open) >= allowed then
    return redis.call('SMEMBERS', open)
  end
  redis.call('SADD', open, id)
end
if redis.call('TTL', open) < ttl then
  redis.call('EXPIRE', open, ttl)
end
return counted and 0 or 1
