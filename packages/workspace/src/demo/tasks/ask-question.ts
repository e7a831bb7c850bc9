import type { Task } from '../task.ts'

/** Asks the user a question with answers to choose from. */
export const askQuestion: Task = {
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
