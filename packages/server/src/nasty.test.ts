import { testParsers } from '../../permissions/test/in-child.ts'

testParsers({
  'the body of a request': `const { readJson } = await from('server', 'gateway/read-json')
    await readJson(new Request('http://a', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: text,
    }), { maxBody: 1e7, maxDepth: 100 })`,
})
