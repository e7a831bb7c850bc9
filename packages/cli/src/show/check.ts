import type { LawReport } from '@toolglot/core/check'
import type { OwnProtocol } from '@toolglot/workspace'
import { quote, visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'

/** Which laws a protocol keeps and which it breaks. */
export function showCheck(
  { protocol, file }: OwnProtocol,
  reports: readonly LawReport[],
  { bold, dim, green, red, yellow }: Colors,
): string {
  const lines = reports.flatMap(({ law, tried, failures, advice }) => {
    const mark = failures.length === 0 ? green('✓') : advice ? yellow('!') : red('✗')
    return [
      `${mark} ${law}  ${dim(`${tried} ${tried === 1 ? 'case' : 'cases'}`)}`,
      ...failures.flatMap(({ on, problem }) => [
        ...(on === '' ? [] : [`    on   ${quote(on)}`]),
        `    ${visibleLine(problem)}`,
      ]),
    ]
  })
  const broken = countBroken(reports)
  const end =
    broken === 0
      ? green('All laws hold.')
      : red(`${broken} ${broken === 1 ? 'law is' : 'laws are'} broken.`)
  return `${bold(protocol.id)}  ${dim(visibleLine(file))}\n${lines.join('\n')}\n${end}\n`
}

/** How many mandatory laws are broken. */
export function countBroken(reports: readonly LawReport[]): number {
  return reports.filter(({ failures, advice }) => failures.length > 0 && !advice).length
}
