import type { LawReport } from '@toolglot/core/check'
import type { OwnProtocol } from '@toolglot/workspace'
import { quote, visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'

/** How a protocol keeps the laws. */
export function showCheck(
  { protocol, file }: OwnProtocol,
  reports: readonly LawReport[],
  { bold, dim, green, red, yellow }: Colors,
): string {
  const lines = reports.flatMap(({ law, tried, failures, advice }) => {
    const mark = failures.length === 0 ? green('✓') : advice ? yellow('!') : red('✗')
    return [
      `${mark} ${law}  ${dim(`${tried} tried`)}`,
      ...failures.flatMap(({ on, problem }) => [
        ...(on === '' ? [] : [`    on   ${quote(on)}`]),
        `    ${visibleLine(problem)}`,
      ]),
    ]
  })
  const broken = countBroken(reports)
  const end = broken === 0 ? green('It keeps every law.') : red(`It breaks ${broken} of them.`)
  return `${bold(protocol.id)}  ${dim(visibleLine(file))}\n${lines.join('\n')}\n${end}\n`
}

/** How many laws are broken that must be kept. */
export function countBroken(reports: readonly LawReport[]): number {
  return reports.filter(({ failures, advice }) => failures.length > 0 && !advice).length
}
