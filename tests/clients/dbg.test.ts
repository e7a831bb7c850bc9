import OpenAI from 'openai'
import { test } from 'vitest'
import { startGateway } from './gateway.ts'
import { prompt, startNotes, wrappedTools } from './notes.ts'
test('x', async () => {
  const g = await startGateway()
  const t = performance.now()
  const log = (...x: unknown[]) => console.log(Math.round(performance.now() - t), ...x)
  const f = async (i: never, init: RequestInit) => {
    log('fetch', String(init.body).length, (JSON.parse(String(init.body)) as { messages: { role: string }[] }).messages.map((m) => m.role))
    const r = await fetch(i, init)
    log('status', r.status)
    return r
  }
  const c = new OpenAI({ baseURL: g.url, apiKey: g.token, fetch: f as never, maxRetries: 0 })
  const notes = startNotes()
  const runner = c.chat.completions.runTools({ model: 'hermes', stream: true, messages: [{ role: 'user', content: prompt }], tools: wrappedTools.map(({ type, function: d }) => ({ type, function: { ...d, description: '', parse: (x: string) => JSON.parse(x) as object, function: (a: object) => { log('run', d.name); return notes.run(d.name, a) } } })) })
  runner.on('chunk', (x) => log('chunk', JSON.stringify(x.choices[0]?.delta).slice(0, 60), x.choices[0]?.finish_reason))
  log(await Promise.race([runner.finalContent(), new Promise((d) => setTimeout(() => d('late'), 4000))]))
  log(g.upstream.requests.length, JSON.stringify(g.upstream.requests.at(-1)?.body.messages.slice(1)).slice(0,300), g.upstream.requests.at(-1)?.refusal)
  void g.close()
})
