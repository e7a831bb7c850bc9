import type { Part } from '../permission/decision.ts'
import type { Rule } from '../permission/rule.ts'
import type { Command } from './script.ts'

/** A pattern of a command rule; or what is wrong with it. */
export function readCommandPattern(pattern: string): { pattern: string } | string {
  return pattern === '' ? 'Expected a command.' : { pattern }
}

export function judgeCommand(_rules: readonly Rule[]): (command: Command) => Part {
  return ({ text }) => ({ what: text, verdict: 'ask', why: 'command rules are not read yet' })
}
