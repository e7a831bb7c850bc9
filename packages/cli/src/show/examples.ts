import { table } from './table.ts'

/** A command line that works, and what it is for. */
export interface CommandExample {
  readonly line: string
  readonly about: string
}

export const examples: readonly CommandExample[] = [
  { line: 'toolglot', about: 'talk to a model, here' },
  { line: 'toolglot run "What version is in package.json?"', about: 'one question, one answer' },
  { line: 'toolglot models', about: 'which models there are' },
  { line: 'toolglot parse reply.txt', about: "read a model's reply" },
  { line: 'toolglot protocols', about: 'who writes calls how' },
]

export const chatExamples: readonly CommandExample[] = [
  { line: 'toolglot chat', about: 'with a model that is found, in this folder' },
  { line: 'toolglot chat --cwd ~/my-project', about: 'in another folder' },
  { line: 'toolglot chat -m script', about: 'without any model, to look around' },
  { line: 'toolglot chat --resume last', about: 'go on with the last conversation' },
  { line: 'toolglot chat < questions.txt', about: 'a line is a prompt' },
]

export const runExamples: readonly CommandExample[] = [
  { line: 'toolglot run "What version is in package.json?"', about: 'an answer, found with tools' },
  { line: 'toolglot run "What does this say?" < notes.txt', about: 'about what is piped in' },
  { line: 'toolglot run -m ollama/qwen3:8b "Read @README.md"', about: 'a model by its name' },
  { line: `toolglot run "Test it" --allow 'Bash(npm test)'`, about: 'one more thing may run' },
  { line: 'toolglot run --json "Find *.json"', about: 'every event, for programs' },
  { line: 'toolglot run --resume last', about: 'go on with what was stopped' },
]

export const runsExamples: readonly CommandExample[] = [
  { line: 'toolglot runs', about: 'what was done' },
  { line: 'toolglot runs --search version', about: 'which was it?' },
  { line: 'toolglot runs rename last "the version"', about: 'a name instead of an id' },
  { line: 'toolglot runs export last > run.jsonl', about: 'to keep or to pass on' },
  { line: 'toolglot runs keep --runs 500', about: 'forget the oldest' },
]

export const replayExamples: readonly CommandExample[] = [
  { line: 'toolglot replay last', about: 'what happened' },
  { line: 'toolglot replay last --json', about: 'its events, for programs' },
]

export const parseExamples: readonly CommandExample[] = [
  { line: 'toolglot parse reply.txt', about: 'show what a reply says' },
  { line: 'toolglot parse < reply.txt', about: 'the same from a pipe' },
  { line: 'toolglot parse -p hermes,mistral reply.txt', about: 'read two protocols only' },
  { line: 'toolglot parse -m qwen3:8b reply.txt', about: 'read what this model writes' },
  { line: 'toolglot parse -t tools.json reply.txt', about: 'fit arguments to the tools' },
  { line: "toolglot parse --prefix '<think>\\n' reply.txt", about: 'the prompt opened the reply' },
  { line: 'toolglot parse --finish length reply.txt', about: 'the reply was cut' },
  { line: 'toolglot parse --stream reply.txt', about: 'watch it being read' },
  { line: 'toolglot parse --explain reply.txt', about: 'why was my call not understood?' },
  { line: 'toolglot parse --json reply.txt', about: 'for programs' },
  { line: 'toolglot parse --batch < requests.jsonl', about: 'for many replies' },
]

export const toolsExamples: readonly CommandExample[] = [
  { line: 'toolglot tools', about: 'what a model can be given' },
  { line: 'toolglot tools --json', about: 'for any other agent' },
  { line: 'toolglot tools --aliases', about: 'the other names they answer to' },
  { line: 'toolglot tools --lint tools.json', about: 'will a model understand mine?' },
]

export const doctorExamples: readonly CommandExample[] = [
  { line: 'toolglot doctor', about: 'what does this machine have?' },
  { line: 'toolglot doctor --json', about: 'for programs' },
]

export const execExamples: readonly CommandExample[] = [
  { line: `toolglot exec Read '{"file_path": "README.md"}'`, about: 'read a file' },
  { line: `toolglot exec Grep '{"pattern": "TODO"}'`, about: 'search the folder' },
  {
    line: `toolglot exec Bash '{"command": "git log"}' --allow 'Bash(git:*)'`,
    about: 'run a command',
  },
]

export const undoExamples: readonly CommandExample[] = [
  { line: 'toolglot undo exec-1a2b3c4d', about: 'as it was before' },
  { line: 'toolglot undo last', about: 'what the last run changed' },
]

export const mcpExamples: readonly CommandExample[] = [
  { line: 'claude mcp add toolglot -- toolglot mcp', about: 'give the tools to Claude Code' },
  { line: "toolglot mcp --allow 'Bash(npm test)'", about: 'one more thing may run' },
  { line: 'toolglot mcp --http --port 8808', about: 'for clients that connect' },
]

export const permitExamples: readonly CommandExample[] = [
  { line: `toolglot permit Bash '{"command": "git push"}'`, about: 'may this run, and why?' },
  { line: `toolglot permit Read '{"file_path": ".env"}' --deny 'Read(.env)'`, about: 'try a rule' },
  { line: 'toolglot permit --lint', about: 'are my rules what I meant?' },
  { line: 'toolglot permit --batch < requests.jsonl', about: 'for many calls' },
]

export const protocolsExamples: readonly CommandExample[] = [
  { line: 'toolglot protocols', about: 'who writes calls how' },
  { line: 'toolglot protocols --model mistral-large-latest', about: 'which one a model writes' },
  { line: 'toolglot protocols --template chat_template.jinja', about: 'the same by its template' },
  { line: 'toolglot protocols --json', about: 'for programs' },
]

export const trustExamples: readonly CommandExample[] = [
  {
    line: 'toolglot trust --yes',
    about: "see what this folder's settings would allow, and trust it",
  },
  { line: 'toolglot trust --list', about: 'which folders are trusted' },
  { line: 'toolglot trust --revoke', about: 'trust it no longer' },
]

export const modelsExamples: readonly CommandExample[] = [
  { line: 'toolglot models', about: 'what is there, and which is used' },
  { line: 'toolglot models test ollama/qwen3:8b', about: 'does it call tools?' },
  { line: 'toolglot models use ollama/qwen3:8b', about: 'use it from now on' },
]

export const configExamples: readonly CommandExample[] = [
  { line: 'toolglot config', about: 'what holds here, and where it stands' },
  { line: 'toolglot config set model ollama/qwen3:8b', about: 'in your own settings' },
  { line: "toolglot config set permissions.deny 'Read(.env)' 'Bash(sudo:*)'", about: 'a list' },
  { line: 'toolglot config unset model', about: 'no longer' },
  { line: 'toolglot config schema', about: 'for an editor' },
]

/** What to try first. */
export const firstSteps: readonly CommandExample[] = [
  { line: 'toolglot chat', about: 'talk to a model that has tools' },
  { line: 'toolglot run "What version is in package.json?"', about: 'one question, one answer' },
  { line: 'toolglot models', about: 'which models there are, and how to get one' },
  { line: 'toolglot parse --samples', about: 'how each protocol is read' },
]

/** What to try after the samples. */
export const nextSteps: readonly CommandExample[] = [
  { line: 'toolglot parse --stream --samples -p hermes', about: 'watch a reply being read' },
  { line: 'toolglot parse reply.txt', about: 'read one of your own, or pipe it in' },
  { line: 'toolglot parse --explain reply.txt', about: 'why was my call not understood?' },
]

/** Examples under a heading, their purposes in a column. */
export function showExamples(heading: string, examples: readonly CommandExample[]): string {
  return `${heading}\n${table(examples.map(({ line, about }) => [`  ${line}`, about]))}`
}

/** Started by npm, as in a fresh clone, the command is not on the path. */
export function runnable(
  examples: readonly CommandExample[],
  env: Readonly<Record<string, string | undefined>>,
): readonly CommandExample[] {
  if (env['npm_lifecycle_event'] === undefined) return examples
  return examples.map(({ line, about }) => ({ line: `npx ${line}`, about }))
}
