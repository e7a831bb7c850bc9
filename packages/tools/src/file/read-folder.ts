import type { Files, Reach } from '../host/files.ts'
import { LINES } from './limits.ts'
import type { ReadResult } from './read-result.ts'
import { windowNotice } from './window-notice.ts'

/** The names in a folder, folders with a slash behind them. */
export async function readFolder(
  files: Files,
  path: string,
  {
    offset,
    limit = LINES,
    name,
  }: { offset?: number | undefined; limit?: number | undefined; name: string },
  reach: Reach,
): Promise<ReadResult> {
  const facts = (await files.stat(path, reach))!
  const entries = await files.list(path, reach)
  const names = entries
    .map((entry) => entry.name + (entry.folder ? '/' : ''))
    .sort((one, other) => (one < other ? -1 : 1))
  const first = Math.max(1, offset ?? 1)
  const shown = names.slice(first - 1, first - 1 + limit)
  const last = first + shown.length - 1
  const window = windowNotice({ what: 'names', first, last, total: names.length })
  return {
    content: shown.join('\n'),
    total_lines: names.length,
    path: facts.path,
    kind: 'folder',
    ...(shown.length > 0 && { first_line: first, last_line: last }),
    ...(last < names.length && shown.length > 0 && { next_offset: last + 1 }),
    notice: [`${name} is a folder.`, names.length === 0 ? 'It is empty.' : window]
      .filter((part) => part !== '')
      .join(' '),
  }
}
