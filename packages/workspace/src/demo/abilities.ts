import { tasks } from './tasks/index.ts'

/** What the demo script is, what it can do, and how to get a real model, in the language of the prompt if possible. */
export function describeAbilities(prompt: string): string {
  const { script, can, connect } = TEXTS[languageOf(prompt)]
  const examples = tasks.map(({ example }) => `  ${example}`).join('\n')
  return `${script}\n${can}\n${examples}\n\n${connect}\n${HOW}`
}

type Language = 'en' | 'vi' | 'zh'

function languageOf(prompt: string): Language {
  if (/\p{Script=Han}/u.test(prompt)) return 'zh'
  return /[ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/i.test(prompt) ? 'vi' : 'en'
}

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
