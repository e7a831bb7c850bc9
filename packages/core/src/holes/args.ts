import type { Hole } from '../hole.ts'
import { lookAheadAtObject, readArguments } from '../json/arguments.ts'

/** All arguments, as one JSON object. */
export const args: Hole = {
  starts: () => ['{'],
  read: ({ input, builder }) => readArguments(input, builder),
  lookahead: lookAheadAtObject,
  print: ({ call, write }) => write.json(call.args),
}
