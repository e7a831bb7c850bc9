// Folder: The scripted model of the demo.
import type { Model, ModelChunk } from '@toolglot/agent'
import { parse, printCall, type Protocol } from '@toolglot/core'
import { readChat, TOOLS } from './read-results.ts'
import { type Step, type Task, fileNamedIn } from './task.ts'

/** Finds files by a pattern. */
const findFiles: Task = {
  example: 'Find *.json',
  match: (prompt) => {
    const [pattern] = /\S*\*\S*/.exec(prompt) ?? []
    if (pattern !== undefined) return pattern
    const lists = /\b(list|show|which|what|find)\b.*\bfiles?\b|liệt kê|列出/i
    return lists.test(prompt) ? '*' : undefined
  },
  next: (pattern, [found]) =>
    found === undefined
      ? { say: `I'll look for ${pattern}.`, name: 'Glob', args: { pattern } }
      : { say: `Glob found:\n${found}` },
}

/** Counts the lines of a file. */
const countLines: Task = {
  example: 'Count the lines of README.md',
  match: (prompt) =>
    /\b(count|how many)\b.*\blines?\b|đếm|多少行/i.test(prompt) ? fileNamedIn(prompt) : undefined,
  next(file, [counted]) {
    if (counted === undefined)
      return {
        say: `I'll count the lines of ${file}.`,
        name: 'Grep',
        args: { pattern: '^', path: file, output_mode: 'count' },
      }
    const [, count] = /: (\d+)/.exec(counted) ?? []
    return {
      say: count === undefined ? `Grep returned: ${counted}` : `${file} has ${count} lines.`,
    }
  },
}

/** Asks the user a multiple-choice question. */
const askQuestion: Task = {
  example: 'Ask me a question',
  match: (prompt) => (/\bask me\b|\bquestion\b|hỏi tôi|问我/i.test(prompt) ? 'asked' : undefined),
  next: (_, [answer]) =>
    answer === undefined
      ? {
          say: "Here's one.",
          name: 'AskUserQuestion',
          args: {
            questions: [
              {
                question: 'Which do you like better?',
                header: 'Drink',
                options: [
                  { label: 'Tea', description: 'Calming' },
                  { label: 'Coffee', description: 'Energizing' },
                ],
                multiSelect: false,
              },
            ],
          },
        }
      : { say: `The tool returned your answer:\n${answer}` },
}

/** Writes a small file and changes it. */
const writeAndEdit: Task = {
  example: 'Create hello.txt and edit it',
  match: (prompt) =>
    /\b(create|write|make|edit)\b|tạo|创建/i.test(prompt) && !/\b(todo|list)\b/i.test(prompt)
      ? (fileNamedIn(prompt) ?? 'toolglot-hello.txt')
      : undefined,
  next(file, [written, edited]) {
    if (written === undefined)
      return {
        say: `I'll write ${file}.`,
        name: 'Write',
        args: { file_path: file, content: 'Hello from a script.\nIt can call tools.\n' },
      }
    if (!/^(Created|Replaced) /.test(written))
      return { say: `${file} was not written. Write returned:\n${written}` }
    if (edited === undefined)
      return {
        say: "Now I'll change its first line.",
        name: 'Edit',
        args: {
          file_path: file,
          old_string: 'Hello from a script.',
          new_string: 'Hello from a script that can edit, too.',
        },
      }
    return { say: `Done. Edit returned:\n${edited}\nTo undo this: /undo` }
  },
}

/** Finds the version of a project in its package.json. */
const version: Task = {
  example: 'What version is in package.json?',
  match: (prompt) =>
    /\bversion\b|phiên bản|版本/i.test(prompt) && !/node|npm|git/i.test(prompt)
      ? (fileNamedIn(prompt) ?? 'package.json')
      : undefined,
  next(file, [content]) {
    if (content === undefined)
      return { say: `I'll look in ${file}.`, name: 'Read', args: { file_path: file } }
    const [, found] = /"?\bversion\b"?\s*[:=]\s*"?([^\s",]+)/.exec(content) ?? []
    return {
      say:
        found === undefined
          ? `I found no version in ${file}. Read returned:\n${headOf(content)}`
          : `The version in ${file} is ${found}.`,
    }
  },
}

/** Writes a list of tasks and completes the first one. */
const todos: Task = {
  example: 'Make a todo list',
  match: (prompt) =>
    /\btodos?\b|\bto-do\b|việc cần làm|待办/i.test(prompt) &&
    !/\b(search|grep|find)\b/i.test(prompt)
      ? 'todos'
      : undefined,
  next: (_, results) => {
    const done = results.length
    const now = `${done} of ${STEPS.length}`
    if (done > 1) return { say: `The list is done. TodoWrite returned:\n${results.at(-1)!}` }
    return {
      say: done === 0 ? "I'll write a todo list." : `The first item is done: ${now}.`,
      name: 'TodoWrite',
      args: {
        todos: STEPS.map(([content, activeForm], at) => ({
          content,
          activeForm,
          status: at < done ? 'completed' : at === done ? 'in_progress' : 'pending',
        })),
      },
    }
  },
}

const STEPS = [
  ['Write a list', 'Writing a list'],
  ['Connect a model', 'Connecting a model'],
  ['Ask it something hard', 'Asking it something hard'],
] as const

/** Searches all files for a word. */
const search: Task = {
  example: 'Search for TODO',
  match: (prompt) => {
    const [, quoted, word] =
      /\b(?:search|grep|look)\b(?:\s+(?:for|the|word|text))*\s+(?:["'`]([^"'`]+)["'`]|(\S+))/i.exec(
        prompt,
      ) ?? []
    return quoted ?? word?.replace(/[.?!]$/, '')
  },
  next: (word, [found]) =>
    found === undefined
      ? {
          say: `I'll search for ${word}.`,
          name: 'Grep',
          args: { pattern: escaped(word), output_mode: 'content', head_limit: 20 },
        }
      : { say: `Grep returned:\n${found}` },
}

/** Runs a shell command. */
const runCommand: Task = {
  example: 'Run node --version',
  match: (prompt) => {
    const [, command] = /\b(?:run|execute|chạy|运行)\s+[`'"]?([^`'"\n]+)/i.exec(prompt) ?? []
    if (command !== undefined) return command.trim().replace(/[.?!]$/, '')
    return /node/i.test(prompt) && /version/i.test(prompt) ? 'node --version' : undefined
  },
  next: (command, [output]) =>
    output === undefined
      ? { say: `I'll run ${command}.`, name: 'Bash', args: { command } }
      : { say: `Bash returned:\n${output}` },
}

/** Reads the start of a file. */
const readFile: Task = {
  example: 'Read README.md',
  match: (prompt) =>
    /\b(read|show|open|cat|print)\b|đọc|读/i.test(prompt) ? fileNamedIn(prompt) : undefined,
  next: (file, [content]) =>
    content === undefined
      ? { say: `I'll read ${file}.`, name: 'Read', args: { file_path: file, limit: 10 } }
      : { say: `${file} starts like this:\n${content}` },
}

/** The tasks of the script. A prompt goes to the first task that matches it. */
export const tasks: readonly Task[] = [
  runCommand,
  version,
  countLines,
  search,
  todos,
  askQuestion,
  writeAndEdit,
  findFiles,
  readFile,
]

type Language = 'en' | 'vi' | 'zh'

const HOW = [
  '  ollama serve',
  '  ollama pull qwen3:8b        # then /model ollama/qwen3:8b',
  '  toolglot models             # see the alternatives',
].join('\n')

const TEXTS: Record<Language, Record<'script' | 'can' | 'connect', string>> = {
  en: {
    script: "I'm a built-in demo script, not an AI: I only understand a few sentences.",
    can: 'But the tools I call are real. Try:',
    connect: 'For anything else, connect a model:',
  },
  vi: {
    script: 'Tôi là một kịch bản có sẵn, không phải AI: tôi chỉ hiểu vài câu.',
    can: 'Các công cụ tôi gọi đều là thật. Hãy thử:',
    connect: 'Để làm việc khác, hãy kết nối một mô hình:',
  },
  zh: {
    script: '我是内置的脚本，不是人工智能：我只懂几句话。',
    can: '我调用的工具是真的。可以试试：',
    connect: '要做别的事，请连接一个模型：',
  },
}

/** Options for the demo script. */
export interface DemoOptions {
  /** The protocol for calls. Undefined for function calling. */
  readonly protocol: Protocol | undefined
  /** The pause between words, in milliseconds. Default: 0. */
  readonly pace?: number | undefined
}

/** The model name that selects the demo script. */
export const DEMO = 'script'

/**
 * A script that replaces a model, for trying Toolglot without one. It can do a few tasks, writes
 * real protocol text, and answers with the real results of the tools.
 */
export function demoModel({ protocol, pace = 0 }: DemoOptions): Model {
  return {
    name: DEMO,
    provider: 'built-in demo, not an AI',
    native: !protocol || undefined,
    async *reply({ messages, signal }) {
      const { prompt, results } = readChat(messages, protocol)
      // The prompts it recognizes are short, but people pipe in whole files.
      const step = nextStep(prompt.slice(0, MAX_PROMPT), results)
      for (const delta of wordsOf(textOf(step, protocol))) {
        if (pace > 0) await pause(pace)
        signal.throwIfAborted()
        yield { type: 'text', delta }
      }
      if (!protocol && 'name' in step) yield nativeCall(step)
      yield { type: 'finish', finish: 'stop' }
    },
  }
}

const MAX_PROMPT = 10_000

function nextStep(prompt: string, results: readonly string[]): Step {
  for (const task of tasks) {
    const wanted = task.match(prompt)
    if (wanted !== undefined) return task.next(wanted, results)
  }
  return { say: describeAbilities(prompt) }
}

function textOf(step: Step, protocol: Protocol | undefined): string {
  if (!('name' in step) || !protocol) return step.say
  const { say, name, args } = step
  const call = printCall(protocol, { name, args })
  const text = `${say}\n${call}`
  // A call without marks is recognized only if no text precedes it.
  const isRead = parse(text, { protocols: protocol, tools: TOOLS }).calls.length > 0
  return isRead ? text : call
}

function nativeCall({ name, args }: Extract<Step, { name: string }>): ModelChunk {
  return { type: 'call', index: 0, id: 'call-0', name, delta: JSON.stringify(args) }
}

/** Splits text into words, like the chunks of a model. */
function wordsOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? []
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds))
}

/**
 * Describes the demo script, its tasks, and how to get a real model, in the language of the prompt
 * if possible.
 */
function describeAbilities(prompt: string): string {
  const { script, can, connect } = TEXTS[languageOf(prompt)]
  const examples = tasks.map(({ example }) => `  ${example}`).join('\n')
  return `${script}\n${can}\n${examples}\n\n${connect}\n${HOW}`
}

function languageOf(prompt: string): Language {
  if (/\p{Script=Han}/u.test(prompt)) return 'zh'
  return /[ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/i.test(prompt) ? 'vi' : 'en'
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function headOf(text: string): string {
  return text.split('\n').slice(0, 8).join('\n')
}
