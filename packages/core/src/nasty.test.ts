import { testParsers } from '../../permissions/test/in-child.ts'

testParsers({
  'a reply': `const { parse } = await from('core', 'index')
    const tools = [{ name: 'a', parameters: { type: 'object', properties: { b: { type: 'array' } } } }]
    parse(text)
    parse('<tool_call>{"name":"a","arguments":{"b":' + text, { tools })`,
  'a streamed reply': `const parser = (await from('core', 'index')).createParser()
    for (let at = 0; at < text.length; at += 100) parser.feed(text.slice(at, at + 100))
    parser.end()`,
  'a result': `const { neutralize, restore } = await from('core', 'index')
    restore(neutralize(text))`,
  'a protocol file': `const { interpret } = await from('core', 'picture/interpret')
    interpret(text)
    interpret(text.slice(0, 260_000))`,
  'the name and template of a model': `const { protocolFor } = await from('core', 'index')
    protocolFor(text)
    protocolFor({ template: text })`,
})
