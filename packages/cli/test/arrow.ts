/** A custom protocol, as a user would write it. */
export const arrow: string = `
import { args, name, output, wire } from '@toolglot/core/draw'
export default {
  id: 'arrow',
  about: 'Our own fine-tune',
  call: wire\`=> \${name} \${args} <=\`,
  result: wire\`<result>\${output}</result>\`,
  prompt: ({ tools, example }) => tools.map((tool) => tool.name).join(', ') + example,
}
export const examples = { 'one call': { wire: '=> ping {"n": 1} <=', calls: [['ping', { n: 1 }]] } }
`
