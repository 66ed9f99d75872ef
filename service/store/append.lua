#!lua
-- One change of an encounter, or none of it: everything that could refuse it is looked at before the first write.
--
-- KEYS  the record, the log, and the remembered answer if the change has an idempotency key
-- ARGV  the revision that the change was made from (0: there is no record yet), the new body, seconds to live,
--       the channel to tell the news on, the fingerprint, the response and the seconds to remember them,
--       then sequence and body of each event

local record, log, answer = KEYS[1], KEYS[2], KEYS[3]
local expected, body, ttl, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local fingerprint, response, answer_ttl = ARGV[5], ARGV[6], ARGV[7]
local FIRST_EVENT = 8

if answer then
  local known = redis.call('HMGET', answer, 'fingerprint', 'response')
  if known[1] then
    return {'repeated', known[1], known[2]}
  end
end

local current = redis.call('HMGET', record, 'revision', 'sequence')
local revision, sequence = current[1] or '0', tonumber(current[2] or 0)
if revision ~= expected then
  if revision == '0' then
    return {'missing'}
  end
  return {'conflict', tonumber(revision), redis.call('HGET', record, 'body')}
end

for i = FIRST_EVENT, #ARGV, 2 do
  sequence = sequence + 1
  if ARGV[i] ~= string.format('%d', sequence) then
    return redis.error_reply('SEQUENCE ' .. ARGV[i] .. ' instead of ' .. sequence)
  end
end

revision = tonumber(revision) + 1
redis.call('HSET', record, 'revision', revision, 'sequence', sequence, 'body', body)
redis.call('EXPIRE', record, ttl)
for i = FIRST_EVENT, #ARGV, 2 do
  redis.call('XADD', log, ARGV[i] .. '-0', 'event', ARGV[i + 1])
end
redis.call('EXPIRE', log, ttl)
if answer then
  redis.call('HSET', answer, 'fingerprint', fingerprint, 'response', response)
  redis.call('EXPIRE', answer, answer_ttl)
end
if #ARGV >= FIRST_EVENT then
  redis.call('PUBLISH', channel, sequence)
end
return {'appended', revision}
