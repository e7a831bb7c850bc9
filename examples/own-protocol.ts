import { parse, printCall } from '@toolglot/core'
import arrow from './arrow.ts'

// Your own model writes calls like this: arrow.ts is one picture of them, which is both read and printed.
console.log(printCall(arrow, { name: 'ping', args: { n: 1 } }))
console.log(parse('Ok. => ping {"n": 1, "s": "<=" } <= done', { protocols: arrow }).calls[0]!.args)

// => ping {"n": 1} <=
// { n: 1, s: '<=' }
