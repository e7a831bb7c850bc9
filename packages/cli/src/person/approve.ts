// Folder: Questions and approvals in the terminal.
import type { ApprovalAnswer, Approve, Tool } from '@toolglot/agent'
import { isHostName } from '@toolglot/agent/internal'
import { showRuns } from '../show/decision.ts'
import { type RequestedCall, showRequest } from '../show/run/request.ts'
import type { Colors } from '../terminal.ts'
import type { Keyboard } from './keyboard.ts'

/** The settings in which permanent rules can be saved: this folder's or the user's. */
type RuleStore = 'user' | 'folder'

/** The context of the approval prompt. */
export interface AskOptions {
  readonly keyboard: Keyboard
  readonly colors: Colors
  readonly columns: number
  /** The settings in which rules can be saved beyond this run. Default: none. */
  readonly stores?: readonly RuleStore[]
  /** The changes that the call would make. */
  readonly diff?: string | undefined
}

/** The context of the approval prompt of a run. */
export interface ApproveOptions extends Omit<AskOptions, 'diff'> {
  /** The tools by name: some can preview their changes. */
  readonly tools: ReadonlyMap<string, Pick<Tool, 'preview'>>
}

/**
 * Asks the user to approve a call: yes, no (with a reason), always (and where), or stop. No answer
 * means stop.
 */
export function approveAtKeyboard({ tools, ...options }: ApproveOptions): Approve {
  return async ({ decision, ...request }, signal) => {
    const { parts, call } = decision
    const paths = parts.flatMap(({ real }) => (real === undefined ? [] : [real]))
    const diff = call && (await tools.get(call.name)?.preview?.(call.args, { paths }))
    const asked = { ...decision, ...request }
    return (await askAboutCall(asked, { ...options, diff }, signal)) ?? STOP
  }
}

/** Shows a call and asks the user to approve it. Undefined if there is no answer. */
export async function askAboutCall(
  request: RequestedCall,
  { keyboard, colors, columns, stores = [], diff }: AskOptions,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  keyboard.show(showRequest(request, { colors, columns, diff }))
  const always = request.suggestions.some((suggestion) => 'rule' in suggestion)
  const { bold, dim } = colors
  const { network, runs } = request
  const choices = [
    `${bold('y')}es`,
    ...(network ? [`${bold('w')}ith network`, `${bold('h')}osts`] : []),
    `${bold('n')}o ${dim('(reason optional)')}`,
    ...(always ? [`${bold('a')}lways`] : []),
    ...(runs === undefined ? [] : [`${bold('v')}iew the text to run`]),
    `${bold('s')}top`,
  ]
  if (always) {
    const longer = stores.map((store) => `${bold(store.slice(0, 1))} ${PLACES[store]}`)
    keyboard.show(`  Always: ${[`${bold('a')} in this run`, ...longer].join(', ')}\n`)
  }
  if (network) keyboard.show(networkLines(network.reaches, network.suggested, bold))
  const question = `  Run it? ${choices.join(', ')} `
  const letters = [
    'y',
    'n',
    ...(network ? ['w', 'h'] : []),
    ...(always ? ['a', ...stores.map((store) => store[0])] : []),
    ...(runs === undefined ? [] : ['v']),
  ]
  for (;;) {
    const line = await keyboard.ask(question, signal)
    signal.throwIfAborted()
    if (line === undefined) return undefined
    const answer = readAnswer(line, always, stores)
    if (answer) return answer
    if (runs !== undefined && /^(v|view)$/i.test(line.trim())) {
      const lines = showRuns(runs, Math.max(20, columns - 2))
      keyboard.show(lines.map((each) => `  ${each}\n`).join(''))
      continue
    }
    const reach = network && readNetwork(line, network.suggested)
    if (reach === 'once') return { verdict: 'allow', network: reach }
    if (reach) {
      const where = await askWhere(reach, { keyboard, colors, stores }, signal)
      if (where) return { verdict: 'allow', network: { hosts: reach, always: where } }
      keyboard.show(dim('  Nothing was allowed.\n'))
      continue
    }
    if (network && isAboutHosts(line)) {
      keyboard.show(dim('  Please enter hosts, without a port or a path: h registry.npmjs.org\n'))
      continue
    }
    keyboard.show(
      dim(`  Please type ${letters.join(', ')} or s, or n with a reason: n use npm instead\n`),
    )
  }
}

/** The network access of the call, and the ways to extend it. */
function networkLines(
  reaches: readonly string[],
  suggested: readonly string[],
  bold: (text: string) => string,
): string {
  const now = reaches.length > 0 ? `only ${reaches.join(', ')}` : 'none (blocked by the sandbox)'
  const hosts =
    suggested.length > 0
      ? `hosts ${suggested.join(', ')}, or hosts that you enter`
      : 'hosts that you enter'
  return (
    `  Network: ${now}\n` +
    `  With network: ${bold('w')} this time, ${bold('h')} always for the ${hosts}\n`
  )
}

/**
 * Parses the network access that the user grants. Undefined if the user grants none. `h` alone
 * means the suggested hosts.
 */
export function readNetwork(
  text: string,
  suggested: readonly string[],
): 'once' | readonly string[] | undefined {
  const [, ...named] = text
    .trim()
    .toLowerCase()
    .split(/[\s,]+/)
  if (/^(?:w|with|with network|network)$/i.test(text.trim())) return 'once'
  if (!isAboutHosts(text)) return undefined
  const hosts = named.length > 0 ? named : suggested
  return hosts.length > 0 && hosts.every(isHostName) ? hosts : undefined
}

function isAboutHosts(text: string): boolean {
  return /^(?:h|hosts?)\b/i.test(text.trim())
}

/** Asks how long hosts are allowed. Undefined if the user changes their mind. */
async function askWhere(
  hosts: readonly string[],
  { keyboard, colors: { bold }, stores = [] }: Pick<AskOptions, 'keyboard' | 'colors' | 'stores'>,
  signal: AbortSignal,
): Promise<RuleStore | 'run' | undefined> {
  const places = stores.map((store) => `${bold(store.slice(0, 1))} ${PLACES[store]}`)
  const choices = [`${bold('r')} in this run`, ...places].join(', ')
  const line = await keyboard.ask(`  Commands may reach ${hosts.join(', ')}: ${choices}? `, signal)
  signal.throwIfAborted()
  const answer = line?.trim().toLowerCase() ?? ''
  return (['run', ...stores] as const).find((each) => [each, each[0]].includes(answer))
}

const PLACES: Readonly<Record<RuleStore, string>> = {
  folder: 'in this folder',
  user: 'in all folders',
}

const STOP: ApprovalAnswer = { verdict: 'deny', stop: true }

/** Parses the user's answer; undefined if it is unclear. */
export function readAnswer(
  text: string,
  always: boolean,
  stores: readonly RuleStore[] = [],
): ApprovalAnswer | undefined {
  const answer = text.trim()
  const store = stores.find((each) => [each, each[0]].includes(answer.toLowerCase()))
  if (always && store) return { verdict: 'allow', always: store }
  if (/^(y|yes|ok)$/i.test(answer)) return { verdict: 'allow' }
  if (always && /^(a|always)$/i.test(answer)) return { verdict: 'allow', always: true }
  if (/^(s|stop)$/i.test(answer)) return STOP
  const [, reason] = /^(?:n|no)(?:[\s,:]+(.*))?$/is.exec(answer) ?? [undefined, undefined]
  if (!/^(n|no)\b/i.test(answer)) return undefined
  return denial(reason)
}

/** A denial, with the user's reason. */
export function denial(reason: string | undefined): ApprovalAnswer {
  return { verdict: 'deny', reason: reason ? `The user says: ${reason}` : undefined }
}
