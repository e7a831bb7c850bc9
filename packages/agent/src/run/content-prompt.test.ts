import { expect, test } from 'vitest'
import { collectEvents } from '../../test/collect-events.ts'
import { scripted } from '../../test/scripted.ts'
import { exportRun, importRuns } from '../journal/json-lines.ts'
import { memoryJournal } from '../journal/memory-journal.ts'
import type { Content } from '../model/chat-message.ts'
import { ModelError } from '../model/model-error.ts'
import { forkRun } from './resume/fork.ts'
import { replay } from './resume/replay.ts'
import type { RunEvent } from './event.ts'

const image = { type: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' } as const
const withImage = (text: string): Content => [{ type: 'text', text }, image]
const images = { images: true }

/** The prompts in the events: their text and number of images. */
function promptsOf(events: Iterable<RunEvent>): unknown[] {
  return [...events].flatMap((event) =>
    event.type === 'prompt' ? [[event.content, event.images]] : [],
  )
}

test('a run starts, resumes, is forked and receives messages with images', async () => {
  const journal = memoryJournal()
  const first = await collectEvents({
    id: 'a',
    journal,
    model: scripted(['One.'], images),
    prompt: withImage('Start'),
  })
  expect(promptsOf(first.events)).toEqual([['Start', 1]])
  const resumed = scripted(['Two.'], images)
  await collectEvents({ id: 'a', journal, model: resumed, prompt: withImage('More'), resume: true })
  expect(resumed.sent[0]!.filter(({ role }) => role === 'user')).toEqual([
    { role: 'user', content: withImage('Start') },
    { role: 'user', content: withImage('More') },
  ])
  expect(promptsOf(replay('a', await journal.read('a')))).toEqual([
    ['Start', 1],
    ['More', 1],
  ])
  expect(await journal.runs({ run: 'a' })).toMatchObject([{ prompt: 'Start' }])

  for (const turn of [0, 1, 2]) {
    const id = `fork-${turn}`
    const model = scripted(['Three.'], images)
    const fork = { run: 'a', turn }
    await collectEvents({ id, journal, model, fork, prompt: withImage('Instead') })
    const prompts = model.sent[0]!.filter(({ role }) => role === 'user')
    expect(prompts.at(-1)).toEqual({ role: 'user', content: withImage('Instead') })
    expect(prompts).toHaveLength(turn + 1)
  }
})

test('a message with images reaches a running run and a resumed one', async () => {
  const journal = memoryJournal()
  const model = scripted(
    [
      async function* () {
        await journal.send('a', withImage('Sent'))
        yield { type: 'text', delta: 'One.' }
        yield { type: 'finish', finish: 'stop' }
      },
      'Two.',
    ],
    images,
  )
  const { events } = await collectEvents({ id: 'a', journal, model, prompt: 'Start' })
  expect(model.sent[1]!.at(-1)).toEqual({ role: 'user', content: withImage('Sent') })
  expect(promptsOf(events)).toEqual([
    ['Start', undefined],
    ['Sent', 1],
  ])
  const there = memoryJournal()
  await importRuns(there, await exportRun(journal, 'a'))
  expect(promptsOf(replay('a', await there.read('a')))).toEqual(promptsOf(events))
})

const LEFT_OUT = 'Look\n\n[An image was left out here, because you cannot see images.]'

test('an image for a model that does not accept images is replaced with a note, now and later', async () => {
  const journal = memoryJournal()
  const model = scripted(['One.', 'Two.'])
  const options = { id: 'a', journal, model }
  const first = await collectEvents({ ...options, prompt: withImage('Look') })
  expect(first.end).toMatchObject({ reason: 'answer', text: 'One.' })
  expect(first.of('warning')).toMatchObject([{ code: 'images_left_out' }])
  const later = await collectEvents({ ...options, prompt: 'And now?', resume: true })
  expect(later.end).toMatchObject({ reason: 'answer', text: 'Two.' })
  expect(later.of('warning')).toEqual([])
  for (const sent of model.sent) expect(sent).toContainEqual({ role: 'user', content: LEFT_OUT })
  const seeing = scripted(['Seen.'], images)
  const confirm = async (): Promise<boolean> => true
  await collectEvents({ ...options, model: seeing, prompt: 'Now?', resume: true, confirm })
  expect(seeing.sent[0]).toContainEqual({ role: 'user', content: withImage('Look') })
})

test('resends a request without images to a server that rejects them', async () => {
  const refuses = (): never => {
    throw new ModelError('refused', 'm refused the request: image input is not supported')
  }
  const model = scripted([refuses, 'One.', 'Two.'], images)
  const journal = memoryJournal()
  const options = { id: 'a', journal, model }
  const { end, of } = await collectEvents({ ...options, prompt: withImage('Look') })
  expect(end).toMatchObject({ reason: 'answer', text: 'One.' })
  const message = expect.stringContaining('image input is not supported') as string
  expect(of('warning')).toMatchObject([{ code: 'images_left_out', message }])
  await collectEvents({ ...options, prompt: 'And now?', resume: true })
  expect(model.sent).toHaveLength(3)
  expect(model.sent[2]).toContainEqual({ role: 'user', content: LEFT_OUT })
})

const INVALID: readonly unknown[] = [
  5,
  null,
  {},
  [{ type: 'text' }],
  [{ type: 'image', url: 'file:///etc/passwd' }],
  [{ type: 'image', url: 'data:text/html;base64,AAAA' }],
  [{ type: 'audio', url: image.url }],
  [null],
]

test.each(INVALID)('%j is not content', async (odd) => {
  const journal = memoryJournal()
  const model = scripted(['One.'], images)
  await collectEvents({ id: 'a', journal, model, prompt: 'Start' })
  const prompt = odd as Content
  await expect(async () => collectEvents({ model, prompt })).rejects.toThrow(TypeError)
  await expect(forkRun(journal, 'a', { id: 'b', prompt })).rejects.toThrow('prompt must be')
  await journal.open('open')
  await expect(journal.send('open', prompt)).rejects.toThrow('A message must')
  expect(await journal.runs()).toHaveLength(2)
})

test.each([[''], [[]], [[{ type: 'text', text: '' }]]])('%j is not a message', async (empty) => {
  const journal = memoryJournal()
  await journal.open('a')
  await expect(journal.send('a', empty as Content)).rejects.toThrow(
    '1 to 1000000 characters, not 0.',
  )
})
