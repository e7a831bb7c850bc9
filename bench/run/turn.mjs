// One question and its streamed answer, without tools: `turn()`, and the AI SDK's `streamText`,
// with the same scripted model.
import { collect, turn } from '@toolglot/agent'
import { aiSdkModel } from '@toolglot/agent/models'
import { streamText } from 'ai'
import { figure, number } from '../figure.mjs'
import { lane, measureLanes } from './lanes.mjs'
import { scriptedLanguageModel } from './scripted-language-model.mjs'

const TIMES = 1000
const ROUNDS = 5
const prompt = 'What is the weather?'

export async function measure() {
  const ours = lane(async () => {
    for (let time = 0; time < TIMES; time++) {
      const model = aiSdkModel(scriptedLanguageModel(0, 'text'))
      check((await collect(turn({ model, prompt }))).text)
    }
  })
  const theirs = lane(async () => {
    for (let time = 0; time < TIMES; time++) {
      let text = ''
      const result = streamText({ model: scriptedLanguageModel(0, 'text'), prompt })
      for await (const part of result.fullStream) if (part.type === 'text-delta') text += part.text
      check(text)
    }
  })
  await measureLanes([ours, theirs], ROUNDS)
  const [mine, other] = [ours.median('ms'), theirs.median('ms')]
  return [
    figure({
      group: 'One turn',
      name: 'against streamText, without tools',
      value: mine / other,
      unit: 'x',
      goal: { most: 0.5 },
      detail: `${number(mine / TIMES)} ms to ${number(other / TIMES)} ms, medians of ${ROUNDS} rounds of ${TIMES}; processor time ${number(ours.median('cpu') / theirs.median('cpu'))} x`,
    }),
  ]
}

/** @param {string} text */
function check(text) {
  if (text !== 'That was all.') throw new Error(`Not the answer: ${JSON.stringify(text)}.`)
}
