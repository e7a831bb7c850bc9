import type { Task } from '../task.ts'

/** A question to the person, with answers to choose from. */
export const askQuestion: Task = {
  example: 'Ask me a question',
  match: (prompt) => (/\bask me\b|\bquestion\b|hỏi tôi|问我/i.test(prompt) ? 'asked' : undefined),
  next: (_, [answer]) =>
    answer === undefined
      ? {
          say: 'I have one.',
          name: 'AskUserQuestion',
          args: {
            questions: [
              {
                question: 'Which do you like better?',
                header: 'Drink',
                options: [
                  { label: 'Tea', description: 'It is quiet.' },
                  { label: 'Coffee', description: 'It is quick.' },
                ],
                multiSelect: false,
              },
            ],
          },
        }
      : { say: `The tool told me what you said:\n${answer}` },
}
