import {
  type Decision,
  type DecisionPart,
  describeCode,
  type Rule,
  type RunCode,
} from '@toolglot/permissions'
import { visible, visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'
import { table, wrap } from './text/table.ts'

/**
 * A decision for people: the verdict, each part with its reason, and the rules that would allow it.
 * If verbose, also the text to run.
 */
export function showDecision(
  { verdict, why, parts, error, runs, unprinted, code }: Decision,
  always: readonly string[],
  { colors, verbose }: { readonly colors: Colors; readonly verbose: boolean },
): string {
  const paint = (text: string, of: DecisionPart['verdict']): string => PAINTS[of](colors)(text)
  const head = `${colors.bold(paint(verdict, verdict))}  ${visibleLine(error ?? why)}\n`
  if (error !== undefined) return head

  const rows = parts.map((part) => [
    `  ${part.verdict}`,
    visibleLine(part.what),
    visibleLine(reasonOf(part)),
  ])
  const painted = table(rows, (cell, row, column) => {
    if (column === 0) return paint(cell, parts[row]!.verdict)
    return column === 2 ? colors.dim(cell) : cell
  })
  const rules = always.map((rule) => `  ${visibleLine(rule)}\n`).join('')
  const text = verbose && runs !== undefined ? `\n${showRuns(runs).join('\n')}\n` : ''
  const notices = noticesOf({ unprinted, code })
  const notice = notices.length === 0 ? '' : `\n${notices.join('\n')}\n`
  return `${head}\n${painted}${text}${notice}${rules && `\nTo allow this without asking, add:\n${rules}`}`
}

/** The text to run, indented, so that none of its lines can pass for another line of the output. */
export function showRuns(runs: string, columns: number = Infinity): string[] {
  const lines = visible(runs).split('\n')
  return [
    'Runs as:',
    ...lines.flatMap((line) => wrap(line, columns - 2)).map((line) => `  ${line}`),
  ]
}

/**
 * Notices about a whole call: that its shell text cannot be printed, and the code that it may run.
 */
export function noticesOf({
  unprinted,
  code,
}: {
  readonly unprinted?: string | undefined
  readonly code?: RunCode | undefined
}): readonly string[] {
  const asWritten = unprinted === undefined ? [] : [`Runs as written: ${unprinted}`]
  return [...asWritten, ...describeCode(code)].map((notice) => visibleLine(notice))
}

const PAINTS: Record<DecisionPart['verdict'], (colors: Colors) => (text: string) => string> = {
  allow: (colors) => colors.green,
  ask: (colors) => colors.yellow,
  deny: (colors) => colors.red,
}

function reasonOf({ why, rule }: DecisionPart): string {
  return rule ? `${rule.text}${placeOf(rule)}` : why
}

/** The place of a rule: `  .toolglot/settings.json:4`. */
export function placeOf({ source: { file, line, scope } }: Pick<Rule, 'source'>): string {
  if (file === undefined) return `  (${scope === 'cli' ? 'command line' : scope})`
  return `  ${file}${line === undefined ? '' : `:${line}`}`
}

/** A decision, for programs. */
export function decisionJson({
  verdict,
  why,
  rule,
  parts,
  error,
  runs,
  unprinted,
  code,
}: Decision): object {
  return {
    decision: verdict,
    why,
    rule: rule ? ruleJson(rule) : undefined,
    error,
    runs,
    unprinted,
    code,
    parts: parts.map((part) => ({
      what: part.what,
      decision: part.verdict,
      why: part.why,
      rule: part.rule ? ruleJson(part.rule) : undefined,
    })),
  }
}

function ruleJson({ text, verdict, source: { scope, file, line } }: Rule): object {
  return { text, verdict, scope, file, line }
}
