import type { TestCommand, TestExpression, Word } from 'unbash'
import { guessCommands, add, type Scope } from './scope.ts'
import { GLOB, readWord, type WordContext } from './word.ts'

/** Adds `[[ … ]]`, which has no effect unless one of its words is evaluated. */
export function addTestCommand(node: TestCommand, scope: Scope, around: WordContext): void {
  const words: (string | undefined)[] = ['[[']
  const doubts: string[] = []
  const take = (word: Word, evaluated: boolean) => {
    const { value, doubts: own, loose } = readWord(word, around)
    words.push(value)
    doubts.push(...own, ...(evaluated ? loose : loose.filter((why) => why !== GLOB)))
    if (!evaluated || (value !== undefined && /^-?\d*$/.test(value))) return
    doubts.push('a word that is evaluated')
    for (const guess of guessCommands(value ?? ''))
      add(scope, { text: guess.join(' '), words: guess, doubts: [], guess: true })
  }
  const visit = (expression: TestExpression): void => {
    switch (expression.type) {
      case 'TestUnary':
        words.push(expression.operator)
        return take(
          expression.operand,
          expression.operator === '-v' || expression.operator === '-R',
        )
      case 'TestBinary': {
        const arithmetic = /^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator)
        take(expression.left, arithmetic)
        words.push(expression.operator)
        return take(expression.right, arithmetic)
      }
      case 'TestLogical':
        return expression.operands.forEach(visit)
      case 'TestNot':
        return visit(expression.operand)
      case 'TestGroup':
        return visit(expression.expression)
      default:
        doubts.push(`unsupported syntax: ${(expression as TestExpression).type}`)
    }
  }
  visit(node.expression)
  const text = scope.source.slice(node.pos, node.end)
  add(scope, { text, words: [...words, ']]'], doubts, idle: true })
}
