#!lua
-- Pay from a bucket that fills steadily (the generic cell rate algorithm), or do not if there is too little in it.
--
-- The bucket is kept as the time at which it will be full again and the time of that, in microseconds, and by the server's
-- clock alone. When that clock was set back meanwhile, both are. All else is reckoned from now on: beside the microseconds since
-- 1970 a number has no room for parts of one, and half of one more or less is rounding.
-- A cost above what the bucket holds is paid when it is full, and what is missing is owed: it fills the later.
--
-- KEYS  the bucket
-- ARGV  microseconds that one unit takes to come back, units that the bucket holds, the cost, and units that were spent
--       already and are paid in any case
--
-- Answers the units that are left, and the microseconds until there is enough (0: the cost was paid).

local ROUNDING = 0.5
local bucket = KEYS[1]
local interval, holds, cost, spent = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local full, at = string.match(redis.call('GET', bucket) or '0 0', '^(%d+) (%d+)$')
local owed = tonumber(full) - math.max(0, tonumber(at) - now) - now
owed = math.max(owed, 0) + spent * interval
local missing = math.ceil(math.min(cost, holds) * interval - (holds * interval - owed) - ROUNDING)

if missing <= 0 then
  missing = 0
  owed = owed + cost * interval
end
if owed > 0 then
  redis.call('SET', bucket, string.format('%.0f %.0f', now + owed, now), 'PX', string.format('%.0f', math.ceil(owed / 1000)))
end
return {math.floor((holds * interval - owed + ROUNDING) / interval), missing}
