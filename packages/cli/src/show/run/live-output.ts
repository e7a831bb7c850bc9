import { visibleLine } from '@toolglot/workspace/internal'
import { cut } from '../width.ts'
import type { Page } from './page.ts'

/** What a command writes while it runs: its first lines stay, of later ones the last is seen. */
export interface LiveOutput {
  next(text: string): void
  end(): void
}

export function createLiveOutput({
  page,
  dim,
  columns,
  most = 12,
}: {
  readonly page: Page
  readonly dim: (text: string) => string
  readonly columns: number
  readonly most?: number
}): LiveOutput {
  let count = 0
  let open = ''
  const line = (text: string): string =>
    dim(`  │ ${cut(visibleLine(text.replaceAll('\t', '  ')), columns - 5)}`)

  function add(lines: readonly string[]): void {
    const room = Math.max(0, most - count)
    count += lines.length
    page.block('call', lines.slice(0, room).map(line))
    if (lines.length > room) page.wait(`  │ ${visibleLine(lines.at(-1)!.slice(0, 400))}`)
  }

  return {
    next(text) {
      const lines = (open + text.replaceAll('\r\n', '\n')).split('\n')
      open = lines.pop()!.slice(-LONGEST)
      if (lines.length > 0) add(lines)
    },
    end() {
      if (open !== '') add([open])
      open = ''
      if (count > most) page.block('call', [dim(`  … ${count - most} more lines`)])
    },
  }
}

/** In characters. */
const LONGEST = 4000
