/** The building blocks of protocols: `wire` for pictures of text, and the holes in them. */
export { args } from './holes/args.ts'
export { aside } from './holes/aside.ts'
export { calls, results } from './holes/calls.ts'
export { dictionary } from './holes/dictionary.ts'
export { each } from './holes/each.ts'
export { elements, toolElement } from './holes/elements.ts'
export { envelope } from './holes/envelope.ts'
export { fields } from './holes/fields.ts'
export { first } from './holes/first.ts'
export { gap } from './holes/gap.ts'
export { index } from './holes/index-of.ts'
export { json } from './holes/json.ts'
export { keyed } from './holes/keyed.ts'
export { keywords, reprKeywords } from './holes/keywords.ts'
export { kind } from './holes/kind.ts'
export { id, key, name } from './holes/labels.ts'
export { lineStart } from './holes/line-start.ts'
export {
  outcome,
  output,
  outputDictionary,
  outputJson,
  ownId,
  sentence,
  status,
} from './holes/output.ts'
export { text } from './holes/text.ts'
export { value } from './holes/value.ts'
export { yaml } from './holes/yaml.ts'
export { wire } from './wire.ts'
