import type { Environment } from './local-server.ts'

/** A paid service with an OpenAI-compatible API. */
export interface Provider {
  /** The part before the slash in a model reference, such as `openai/gpt-5-mini`. */
  readonly id: string
  readonly name: string
  readonly url: string
  /** The environment variables for its key, in order of preference. */
  readonly variables: readonly string[]
  /** The environment variable that overrides `url`. */
  readonly urlVariable?: string
  /** The default model. */
  readonly usual: string
  /** Matches the names of models that accept images. */
  readonly images?: RegExp
  /** Allows system messages after other messages. */
  readonly laterSystem?: boolean
}

/** The supported providers. */
export const providers: readonly Provider[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    url: 'https://api.openai.com/v1',
    variables: ['OPENAI_API_KEY'],
    urlVariable: 'OPENAI_BASE_URL',
    usual: 'gpt-5-mini',
    images: /^(gpt-4o|gpt-4\.1|gpt-5|o4-mini)/,
    laterSystem: true,
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    url: 'https://api.anthropic.com/v1',
    variables: ['ANTHROPIC_API_KEY'],
    usual: 'claude-sonnet-4-5',
    images: /^claude-(?!2|instant)/,
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    url: 'https://openrouter.ai/api/v1',
    variables: ['OPENROUTER_API_KEY'],
    usual: 'openrouter/auto',
  },
  {
    id: 'groq',
    name: 'Groq',
    url: 'https://api.groq.com/openai/v1',
    variables: ['GROQ_API_KEY'],
    usual: 'llama-3.3-70b-versatile',
  },
  {
    id: 'mistral',
    name: 'Mistral',
    url: 'https://api.mistral.ai/v1',
    variables: ['MISTRAL_API_KEY'],
    usual: 'mistral-large-latest',
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    url: 'https://api.deepseek.com/v1',
    variables: ['DEEPSEEK_API_KEY'],
    usual: 'deepseek-chat',
  },
  {
    id: 'gemini',
    name: 'Gemini',
    url: 'https://generativelanguage.googleapis.com/v1beta/openai',
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    usual: 'gemini-flash-latest',
    images: /^gemini-/,
  },
  {
    id: 'xai',
    name: 'xAI',
    url: 'https://api.x.ai/v1',
    variables: ['XAI_API_KEY'],
    usual: 'grok-4',
  },
  {
    id: 'together',
    name: 'Together',
    url: 'https://api.together.xyz/v1',
    variables: ['TOGETHER_API_KEY'],
    usual: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
  },
  {
    id: 'cerebras',
    name: 'Cerebras',
    url: 'https://api.cerebras.ai/v1',
    variables: ['CEREBRAS_API_KEY'],
    usual: 'llama-3.3-70b',
  },
]

/** The environment variable that contains a provider's key, or undefined if none is set. */
export function keyVariable({ variables }: Provider, env: Environment): string | undefined {
  return variables.find((variable) => env[variable]?.trim())
}

/** The base URL of a provider. */
export function providerUrl({ url, urlVariable }: Provider, env: Environment): string {
  return (urlVariable && env[urlVariable]?.trim()) || url
}
