import type { LoggedRequest } from '../../../contract/control/request-log.js';
import { warningText } from '../../../contract/vocabulary/warnings.js';
import { printedOut } from '../../output/color.js';
import { fieldLines } from '../../output/fields.js';
import { section } from '../../output/formatters/email-inspection.js';
import { errorText, notesOf } from '../../output/formatters/request.js';
import { warningLines } from '../../output/formatters/warnings.js';
import { localTime, localTimeOfDay } from '../../output/local-time.js';
import { oneLine } from '../../output/text.js';
import { type Pane, type Row, type Tone, wordsOf } from './pane.js';

export const requests: Pane = {
  title: 'Requests',
  item: 'Request',
  columns: [
    { title: 'METHOD', width: 6, sort: true },
    { title: 'PATH', width: 10, grow: 3, sort: true },
    { title: 'STATUS', width: 6, sort: true },
    { title: 'NOTES', width: 8, grow: 2, from: 64, sort: true },
    { title: 'MS', width: 7, from: 56, sort: true },
    { title: 'TIME', width: 8, from: 44 },
  ],
  empty: 'No requests yet.',
  elsewhere: 'logs list',
  async read(client, limit) {
    const { requests: found } = await client.control('requests.list', { query: { limit } });
    return { rows: found.map(rowOf), total: undefined, more: found.length === limit };
  },
};

function rowOf(request: LoggedRequest): Row {
  const { request_id, created_at, method, path, status, ms, key_id, user_agent, error_details, warnings } = request;
  const notes = notesOf(request);
  const fields = error_details.map((detail) => oneLine(warningText(detail)));
  const tone: Tone = status >= 500 ? 'bad' : status >= 400 ? 'waiting' : 'plain';
  return {
    id: request_id,
    cells: [method, path, { text: String(status), tone }, notes, ms.toFixed(1), localTimeOfDay(created_at)],
    words: wordsOf(request_id, method, path, status, key_id, notes),
    open: async () =>
      printedOut([
        fieldLines({
          request: `${method} ${path}`,
          status,
          error: errorText(request),
          duration: `${ms} ms`,
          at: localTime(created_at),
          key: key_id ?? 'no valid key',
          client: user_agent,
          id: request_id,
        }),
        section('Invalid fields', fields).map((line) => [line, '\n']),
        section('Warnings', warningLines(warnings)).map((line) => [line, '\n']),
      ]),
  };
}
