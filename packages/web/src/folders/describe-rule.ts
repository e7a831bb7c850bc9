import type { Key } from '../words/words.ts'

/** What a rule allows, in words: a key of the words, and what it is about. */
export interface RuleInWords {
  readonly key: Key
  readonly what: string
  readonly tool: string
  /** Whether it names nothing in particular: any command, any file, any page, every tool of a server. */
  readonly isBroad?: true
}

/** The words for a tool whose rules name something: with nothing named, with a whole folder, and with something. */
const KINDS: Readonly<Record<string, readonly [all: Key, here: Key, some: Key]>> = {
  read: ['folders.rule.readAll', 'folders.rule.readHere', 'folders.rule.read'],
  edit: ['folders.rule.writeAll', 'folders.rule.writeHere', 'folders.rule.write'],
  write: ['folders.rule.writeAll', 'folders.rule.writeHere', 'folders.rule.write'],
  webfetch: ['folders.rule.fetchAll', 'folders.rule.fetchAll', 'folders.rule.fetch'],
}
const EVERYTHING = /^(?:|\/\/\*\*(?:\/\*)?|domain:\*)$/
const EVERYTHING_HERE = /^(?:\.?\/)?\*\*(?:\/\*)?$/

/** Says what a rule that allows something would allow. */
export function describeRule(rule: string): RuleInWords {
  const { 1: tool = rule, 2: named } = /^([^(]+)\((.*)\)$/s.exec(rule) ?? []
  const what = named ?? ''
  const name = tool.toLowerCase()
  if (name === 'bash') return describeCommand(what, tool)
  const kind = KINDS[name]
  if (kind) {
    if (EVERYTHING.test(what)) return { key: kind[0], what: '', tool, isBroad: true }
    if (EVERYTHING_HERE.test(what)) return { key: kind[1], what: '', tool, isBroad: true }
    return { key: kind[2], what: what.replace(/^domain:/, ''), tool }
  }
  const server = /^mcp__(.+?)(?:__(.+))?$/.exec(tool)
  if (server) {
    const [, whose = '', which = '*'] = server
    return which === '*'
      ? { key: 'folders.rule.server', what: whose, tool: which, isBroad: true }
      : { key: 'folders.rule.serverTool', what: whose, tool: which }
  }
  return { key: what === '' ? 'folders.rule.tool' : 'folders.rule.toolFor', what, tool }
}

function describeCommand(what: string, tool: string): RuleInWords {
  if (/^(?:\*|:\*)?$/.test(what))
    return { key: 'folders.rule.runAll', what: '', tool, isBroad: true }
  const start = /^(.*\S)(?::\*| \*)$/s.exec(what)?.[1]
  return start === undefined
    ? { key: 'folders.rule.run', what, tool }
    : { key: 'folders.rule.runStart', what: start, tool }
}
