import { Cursor } from './cursor.ts'
import { Misread, type Place, placeOf, type Problems, quoted } from './problems.ts'
import { readExpression } from './read-expression.ts'
import { readConst, readFunction } from './read-function.ts'
import { skipType } from './skip-type.ts'
import type { Declaration, Import, Program } from './syntax.ts'
import { tokensOf } from './tokens.ts'

/** Reads all statements of a file. Unreadable ones are reported and omitted. */
export function readProgram(text: string, problems: Problems): Program {
  const cursor = new Cursor(tokensOf(text, problems), problems)
  const program: Program = {
    imports: [],
    declared: [],
    functions: new Set(),
    exported: new Map(),
    default: undefined,
  }
  while (cursor.token.kind !== 'end') {
    if (cursor.eat(';')) continue
    const start = cursor.at
    const read = problems.attempt(() => {
      readStatement(cursor, program)
      return true
    })
    if (!read) cursor.skipStatement(start)
  }
  return program
}

function readStatement(cursor: Cursor, program: Program): void {
  if (cursor.eatWord('import')) return void program.imports.push(readImport(cursor))
  if (!cursor.eatWord('export')) return void readDeclaration(cursor, program)
  if (cursor.isWord('default')) {
    const place = placeOf(cursor.take())
    const value = readExpression(cursor)
    if (program.default || program.exported.has('default')) throw new Misread(TWO_DEFAULTS, place)
    program.default = value
    cursor.endStatement()
  } else if (cursor.is('{')) readExports(cursor, program)
  else {
    const declared = readDeclaration(cursor, program)
    if (declared) addExport(program, declared.name, { ...declared.place, name: declared.name })
  }
}

const TWO_DEFAULTS = 'The file already has a default export.'

function addExport(program: Program, as: string, found: Place & { name: string }): void {
  if (as === 'default' && program.default) throw new Misread(TWO_DEFAULTS, found)
  if (program.exported.has(as)) throw new Misread(`${quoted(as)} is exported twice.`, found)
  program.exported.set(as, found)
}

function readDeclaration(cursor: Cursor, program: Program): Declaration | undefined {
  const { token } = cursor
  if (cursor.eatWord('const')) return declare(program, readConst(cursor, readExpression))
  if (cursor.eatWord('function')) {
    const declared = declare(program, readFunction(cursor, readExpression))
    program.functions.add(declared.name)
    return declared
  }
  if (cursor.isWord('type') && cursor.ahead().kind === 'name') {
    cursor.at += 2
    cursor.need('=')
    skipType(cursor)
    cursor.endStatement()
    return undefined
  }
  if (cursor.isWord('interface') && cursor.ahead().kind === 'name') {
    cursor.at += 2
    skipType(cursor)
    return undefined
  }
  throw new Misread(
    'A protocol file may contain only `import`, `const`, `function` and `export` statements.',
    placeOf(token),
  )
}

function declare(program: Program, declared: Declaration): Declaration {
  program.declared.push(declared)
  return declared
}

/** Reads `{ a as b, type C } from '…'`, after `import`. */
function readImport(cursor: Cursor): Import {
  const allTypes = cursor.isWord('type') && !(cursor.ahead().value === 'from')
  if (allTypes) cursor.take()
  if (!cursor.is('{'))
    throw new Misread(
      "Use named imports: `import { wire } from '@toolglot/core/draw'`.",
      cursor.token,
    )
  const names = readNames(cursor).map((each) => ({ ...each, isType: each.isType || allTypes }))
  if (!cursor.eatWord('from')) throw cursor.unexpected('`from`')
  if (cursor.token.kind !== 'text') throw cursor.unexpected('the name of a module')
  const { value, from, to } = cursor.take()
  cursor.endStatement()
  return { from: value, place: { from, to }, names }
}

function readExports(cursor: Cursor, program: Program): void {
  const { from } = cursor.token
  const names = readNames(cursor)
  if (cursor.eatWord('from')) {
    cursor.take()
    throw new Misread('Exports from another file are not supported. Define it in this file.', {
      from,
      to: cursor.end,
    })
  }
  cursor.endStatement()
  for (const { name, as, from: start, to } of names) {
    addExport(program, as, { from: start, to, name })
  }
}

function readNames(cursor: Cursor): Import['names'][number][] {
  const names: Import['names'][number][] = []
  cursor.need('{')
  while (!cursor.eat('}')) {
    const isType = cursor.isWord('type') && cursor.ahead().kind === 'name'
    if (isType) cursor.take()
    const token = cursor.needName()
    const as = cursor.eatWord('as') ? cursor.needName().value : token.value
    names.push({ name: token.value, as, isType, ...placeOf(token) })
    if (!cursor.is('}')) cursor.need(',')
  }
  return names
}
