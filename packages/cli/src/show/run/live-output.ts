import { visibleLine } from '@toolglot/workspace/internal'
import { truncate } from '../text/table.ts'
import type { Page } from './page.ts'

/**
 * The output of a running command: the first lines stay on the screen, then only the latest one is
 * shown.
 */
export interface LiveOutput {
  write(text: string): void
  end(): void
}

/** Shows at most `maxLines` lines of output on a page. */
export function createLiveOutput({
  page,
  dim,
  columns,
  maxLines = 12,
}: {
  readonly page: Page
  readonly dim: (text: string) => string
  readonly columns: number
  readonly maxLines?: number
}): LiveOutput {
  let count = 0
  let open = ''
  const line = (text: string): string =>
    dim(`  │ ${truncate(visibleLine(text.replaceAll('\t', '  ')), columns - 5)}`)

  function add(lines: readonly string[]): void {
    const room = Math.max(0, maxLines - count)
    count += lines.length
    page.block('call', lines.slice(0, room).map(line))
    if (lines.length > room) page.setStatus(`  │ ${visibleLine(lines.at(-1)!.slice(0, 400))}`)
  }

  return {
    write(text) {
      const lines = (open + text.replaceAll('\r\n', '\n')).split('\n')
      open = lines.pop()!.slice(-MAX_LINE_LENGTH)
      if (lines.length > 0) add(lines)
    },
    end() {
      if (open !== '') add([open])
      open = ''
      if (count > maxLines) page.block('call', [dim(`  … ${count - maxLines} more lines`)])
    },
  }
}

/** The maximum kept length of an unfinished line, in characters. */
const MAX_LINE_LENGTH = 4000
