import { parse, printCall } from '@toolglot/core'
import arrow from './arrow.ts'

// A custom protocol: arrow.ts draws one call, and the same picture is used for reading and printing.
console.log(printCall(arrow, { name: 'ping', args: { n: 1 } }))
console.log(parse('Ok. => ping {"n": 1, "s": "<=" } <= done', { protocols: arrow }).calls[0]!.args)

// => ping {"n": 1} <=
// { n: 1, s: '<=' }
