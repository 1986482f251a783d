import type { Client } from '../../../client/client.js';
import { indented } from '../../../contract/vocabulary/helpers/indent-json.js';
import { printedOut } from '../../output/color.js';
import { fieldLines } from '../../output/fields.js';
import { localTimeOfDay } from '../../output/local-time.js';
import { safeText } from '../../output/text.js';
import { attemptText } from '../../webhooks/listen-view/attempt-lines.js';

/** Describes one delivery: every attempt with its request and response, the last one first. */
export async function describeDelivery(client: Client, id: string): Promise<string> {
  const delivery = await client.control('deliveries.get', { params: { id } });
  const { event_id, type, url, state, replay_of, payload, log } = delivery;
  const attempts = log.toReversed().map((attempt, index) => {
    const head = `Attempt ${attempt.attempt}/${attempt.max_attempts} at ${localTimeOfDay(attempt.at)}, ${attempt.duration_ms} ms:`;
    return `${head}\n${attemptText(attempt, { newest: index === 0 })}`;
  });
  const sent =
    log.length > 0 ? attempts.join('\n\n') : `No attempt has finished yet.\n\n${safeText(indented(payload))}`;
  return printedOut([
    fieldLines({ id, state, event: `${type}  ${event_id}`, url, 'replay of': replay_of }),
    '\n',
    sent,
  ]);
}
