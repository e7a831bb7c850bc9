import type { Files, AllowedPaths } from '../host/files.ts'
import { type MayShow, showableBelow } from '../search/place.ts'
import { DEFAULT_LINES } from '../file/limits.ts'
import type { ReadResult } from './read-result.ts'
import { windowNotice } from './window-notice.ts'

/** Lists the names in a folder that may be shown; subfolders end with a slash. */
export async function readFolder(
  files: Files,
  path: string,
  {
    offset,
    limit = DEFAULT_LINES,
    name,
  }: { offset?: number | undefined; limit?: number | undefined; name: string },
  reach: AllowedPaths,
  mayShow?: MayShow,
): Promise<ReadResult> {
  const facts = (await files.stat(path, reach))!
  const isShowable = showableBelow(path, facts.path, mayShow)
  const names = (await files.list(path, reach))
    .filter((entry) => isShowable(entry.name))
    .map((entry) => entry.name + (entry.isFolder ? '/' : ''))
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
