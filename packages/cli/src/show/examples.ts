// Folder: Printed output: runs, calls, tables, prices.
import { table } from './text/table.ts'

/** A working command line and its description. */
export interface CommandExample {
  readonly line: string
  readonly about: string
}

/** The examples in `toolglot --help`. */
export const examples: readonly CommandExample[] = [
  { line: 'toolglot', about: 'open the page in your browser, for this folder' },
  { line: 'toolglot chat', about: 'chat in the terminal' },
  { line: 'toolglot run "What version is in package.json?"', about: 'ask one question' },
  { line: 'toolglot serve', about: 'give other programs a model that can call tools' },
  { line: 'toolglot models', about: 'list the available models' },
  { line: 'toolglot parse reply.txt', about: "parse a model's reply" },
  { line: 'toolglot protocols', about: 'see how models write calls' },
]

export const openExamples: readonly CommandExample[] = [
  { line: 'toolglot', about: 'open the page in your browser, for this folder' },
  { line: 'toolglot ~/my-project', about: 'open another folder' },
  { line: 'toolglot open -m script', about: 'look around without a model' },
  { line: 'toolglot open --no-browser', about: 'only print the link' },
]

export const chatExamples: readonly CommandExample[] = [
  { line: 'toolglot chat', about: 'chat with the default model in this folder' },
  { line: 'toolglot chat --cwd ~/my-project', about: 'work in another folder' },
  { line: 'toolglot chat -m script', about: 'look around without a model' },
  { line: 'toolglot chat --resume last', about: 'resume the last conversation' },
  { line: 'toolglot chat --fork last', about: 'continue in a copy of it' },
  { line: 'toolglot chat < questions.txt', about: 'send each line as a prompt' },
]

export const runExamples: readonly CommandExample[] = [
  { line: 'toolglot run "What version is in package.json?"', about: 'find the answer with tools' },
  { line: 'toolglot run "What does this say?" < notes.txt', about: 'ask about piped input' },
  {
    line: 'toolglot run -m ollama/qwen3:8b "Read @README.md"',
    about: 'choose a model, attach a file',
  },
  { line: `toolglot run "Test it" --allow 'Bash(npm test)'`, about: 'allow a command' },
  { line: 'toolglot run --json "Find *.json"', about: 'print every event as JSON' },
  { line: 'toolglot run --resume last', about: 'resume a stopped run' },
  { line: 'toolglot run --fork last --turn 2 "Use tabs"', about: 'try another way from turn 2' },
  { line: 'toolglot run --attended "Tidy up"', about: 'approve its calls from elsewhere' },
]

export const serveExamples: readonly CommandExample[] = [
  { line: 'toolglot serve', about: 'serve the models on this machine' },
  { line: 'toolglot serve --cwd .', about: 'also serve runs and tools here: see /api/docs' },
  { line: 'toolglot serve -m ollama/qwen3:8b', about: 'choose the default model' },
  { line: 'toolglot serve -m script --port 0', about: 'try it without a model' },
  { line: 'toolglot serve --allow-host gateway.example.com', about: 'serve behind a proxy' },
  { line: 'toolglot serve --journal postgres://user@db/toolglot', about: 'share runs with others' },
  { line: 'toolglot serve --log json >> access.jsonl', about: 'write a log for programs' },
]

export const workerExamples: readonly CommandExample[] = [
  {
    line: 'toolglot worker --journal postgres://user@db/toolglot',
    about: 'continue the runs of this machine',
  },
  {
    line: 'TOOLGLOT_JOURNAL=postgres://… toolglot worker',
    about: 'hide the password from other users',
  },
  {
    line: 'toolglot worker --machine shared --max-per-owner 5',
    about: 'for machines with the same files; limit each owner',
  },
]

export const journalExamples: readonly CommandExample[] = [
  {
    line: 'toolglot journal migrate postgres://user@db/toolglot',
    about: 'create the tables, once',
  },
  { line: 'toolglot journal status', about: 'count the runs' },
  { line: 'toolglot journal copy', about: 'copy the runs of this machine' },
]

export const tokenExamples: readonly CommandExample[] = [
  { line: 'export OPENAI_API_KEY="$(toolglot token)"', about: 'pass it to a client' },
  { line: 'toolglot token --link', about: 'log a browser in' },
  { line: 'toolglot token create laptop --scope gateway', about: 'create a token for models only' },
  { line: 'toolglot token list', about: 'list the tokens' },
  { line: 'toolglot token revoke laptop', about: 'revoke one' },
]

export const connectExamples: readonly CommandExample[] = [
  { line: 'toolglot connect', about: 'list the agents, and show which are connected' },
  { line: 'toolglot connect codex', about: 'print its settings' },
  { line: 'toolglot connect claude-code --write', about: 'write them, with a separate token' },
  { line: 'toolglot connect claude-code --undo', about: 'restore the previous settings' },
]

export const runsExamples: readonly CommandExample[] = [
  { line: 'toolglot runs', about: 'list recent runs' },
  { line: 'toolglot runs --search version', about: 'find a run' },
  { line: 'toolglot runs waiting', about: 'list pending requests, and how to answer them' },
  { line: 'toolglot runs follow last', about: 'watch a run in another terminal' },
  { line: 'toolglot runs send last "Use tabs"', about: 'send it a message while it works' },
  { line: 'toolglot runs stop last', about: 'stop it' },
  { line: 'toolglot runs rename last "the version"', about: 'give a run a name' },
  { line: 'toolglot runs stats --days 7', about: 'count calls, errors, tokens and time' },
  { line: 'toolglot runs export last > run.jsonl', about: 'save a run to a file' },
  { line: 'toolglot runs keep --runs 500', about: 'delete all but the last 500' },
]

export const answerExamples: readonly CommandExample[] = [
  { line: 'toolglot runs answer last allow', about: 'allow the only pending call' },
  { line: 'toolglot runs answer last 1 allow --always run', about: 'allow it for the whole run' },
  {
    line: 'toolglot runs answer last 1 deny --reason "Use npm"',
    about: 'deny it, and give a reason',
  },
  { line: 'toolglot runs answer last --answer Tea', about: 'answer its only question' },
]

export const replayExamples: readonly CommandExample[] = [
  { line: 'toolglot replay last', about: 'show the last run' },
  { line: 'toolglot replay last --json', about: 'print its events as JSON' },
]

export const parseExamples: readonly CommandExample[] = [
  { line: 'toolglot parse reply.txt', about: 'show the text and the calls of a reply' },
  { line: 'toolglot parse < reply.txt', about: 'read the reply from a pipe' },
  { line: 'toolglot parse -p hermes,mistral reply.txt', about: 'try only these two protocols' },
  { line: 'toolglot parse -m qwen3:8b reply.txt', about: "try only this model's protocol" },
  {
    line: 'toolglot parse -t tools.json reply.txt',
    about: "match arguments to the tools' schemas",
  },
  {
    line: "toolglot parse --prefix '<think>\\n' reply.txt",
    about: 'the prompt ended with this text',
  },
  { line: 'toolglot parse --finish length reply.txt', about: 'the reply was cut off' },
  { line: 'toolglot parse --stream reply.txt', about: 'watch it being parsed' },
  { line: 'toolglot parse --explain reply.txt', about: 'see why a call was not understood' },
  { line: 'toolglot parse --json reply.txt', about: 'print the reply as JSON' },
  { line: 'toolglot parse --batch < requests.jsonl', about: 'parse many replies' },
]

export const toolsExamples: readonly CommandExample[] = [
  { line: 'toolglot tools', about: 'list the tools' },
  { line: 'toolglot tools --json', about: 'print definitions for other agents' },
  { line: 'toolglot tools --aliases', about: 'list the alternative names' },
  { line: 'toolglot tools --lint tools.json', about: 'check your own tool definitions' },
]

export const doctorExamples: readonly CommandExample[] = [
  { line: 'toolglot doctor', about: 'check this machine' },
  { line: 'toolglot doctor --json', about: 'print the results as JSON' },
  { line: 'toolglot doctor --probe', about: 'find the protocol that the model writes best' },
  { line: 'toolglot doctor --probe -m ollama/qwen3:8b', about: 'probe another model' },
]

export const execExamples: readonly CommandExample[] = [
  { line: `toolglot exec Read '{"file_path": "README.md"}'`, about: 'read a file' },
  { line: `toolglot exec Grep '{"pattern": "TODO"}'`, about: 'search the folder' },
  {
    line: `toolglot exec Bash '{"command": "git log"}' --allow 'Bash(git:*)'`,
    about: 'run a command',
  },
  {
    line: `toolglot exec Write '{"file_path": "a.txt", "content": "new"}' --read-first`,
    about: 'replace a file',
  },
]

export const undoExamples: readonly CommandExample[] = [
  { line: 'toolglot undo exec-1a2b3c4d', about: 'undo the changes of exec' },
  { line: 'toolglot undo last', about: 'undo the changes of the last run' },
]

export const restoreExamples: readonly CommandExample[] = [
  { line: 'toolglot restore', about: 'list the files that were moved aside, with their ids' },
  { line: 'toolglot restore 1a2b3c4d', about: 'show one, and ask whether to put it back' },
  { line: 'toolglot restore 1a2b3c4d --yes', about: 'put it back without asking' },
]

export const mcpExamples: readonly CommandExample[] = [
  { line: 'claude mcp add toolglot -- toolglot mcp', about: 'give the tools to Claude Code' },
  { line: "toolglot mcp --allow 'Bash(npm test)'", about: 'allow a command' },
  { line: 'toolglot mcp --http --port 8808', about: 'serve over HTTP' },
]

export const permitExamples: readonly CommandExample[] = [
  { line: `toolglot permit Bash '{"command": "git push"}'`, about: 'show whether this would run' },
  { line: `toolglot permit Read '{"file_path": ".env"}' --deny 'Read(.env)'`, about: 'try a rule' },
  { line: 'toolglot permit --lint', about: 'check your rules' },
  { line: 'toolglot permit --batch < requests.jsonl', about: 'decide about many calls' },
]

export const protocolsExamples: readonly CommandExample[] = [
  { line: 'toolglot protocols', about: 'list all protocols' },
  { line: 'toolglot protocols --model mistral-large-latest', about: "show a model's protocol" },
  {
    line: 'toolglot protocols --template chat_template.jinja',
    about: 'find the protocol of a chat template',
  },
  { line: 'toolglot protocols --json', about: 'print them as JSON' },
]

export const trustExamples: readonly CommandExample[] = [
  {
    line: 'toolglot trust --yes',
    about: 'show what the settings here would allow, and trust this folder',
  },
  { line: 'toolglot trust --list', about: 'list the trusted folders' },
  { line: 'toolglot trust --revoke', about: 'stop trusting this folder' },
]

export const modelsExamples: readonly CommandExample[] = [
  { line: 'toolglot models', about: 'list the models, and show which one is used' },
  { line: 'toolglot models test ollama/qwen3:8b', about: 'check that it can call tools' },
  { line: 'toolglot models use ollama/qwen3:8b', about: 'make it the default' },
  { line: 'toolglot models test ./qwen.gguf', about: 'test a model file' },
]

export const siteExamples: readonly CommandExample[] = [
  { line: 'toolglot site chat.json --login', about: 'log in to the page, once' },
  { line: 'toolglot site chat.json', about: 'check that its selectors still work' },
  { line: 'toolglot chat -m browser:chat.json', about: 'chat through the page' },
]

export const configExamples: readonly CommandExample[] = [
  { line: 'toolglot config', about: 'show the settings and their sources' },
  { line: 'toolglot config set model ollama/qwen3:8b', about: 'change your settings' },
  { line: "toolglot config set permissions.deny 'Read(.env)' 'Bash(sudo:*)'", about: 'set a list' },
  { line: 'toolglot config set limits.maxIterations 50', about: 'set a member of a setting' },
  { line: 'toolglot config unset model', about: 'remove a setting' },
  { line: 'toolglot config schema', about: 'get the JSON Schema for your editor' },
]

/** Suggested commands after the samples. */
export const nextSteps: readonly CommandExample[] = [
  { line: 'toolglot parse --stream --samples -p hermes', about: 'watch a reply being parsed' },
  { line: 'toolglot parse reply.txt', about: 'parse a reply of your own, or pipe it in' },
  { line: 'toolglot parse --explain reply.txt', about: 'see why a call was not understood' },
]

/** A heading and a table of examples. */
export function showExamples(heading: string, examples: readonly CommandExample[]): string {
  return `${heading}\n${table(examples.map(({ line, about }) => [`  ${line}`, about]))}`
}

/**
 * Adds `npx` to examples if started by npm, as in a fresh clone, because the command is not on the
 * PATH.
 */
export function runnable(
  examples: readonly CommandExample[],
  env: Readonly<Record<string, string | undefined>>,
): readonly CommandExample[] {
  if (env['npm_lifecycle_event'] === undefined) return examples
  return examples.map(({ line, about }) => ({ line: `npx ${line}`, about }))
}
