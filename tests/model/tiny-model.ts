import { type Tensor, type Value, writeGguf } from '../../packages/agent/test/write-gguf.ts'

/** Options of a tiny model. */
export interface TinyModelOptions {
  readonly chatTemplate?: string
  readonly contextTokens?: number
  readonly seed?: number
  /** The number of attention heads in its metadata. */
  readonly heads?: number
  /**
   * The kind of its vocabulary: bytes, as in GPT-2, or words with the space before them, as in
   * Llama 2.
   */
  readonly vocabulary?: 'bytes' | 'words'
}

/** A GGUF file of a tiny model with random weights. Each mark of its chat template is a token. */
export function tinyModel({
  chatTemplate = CHAT_TEMPLATE,
  contextTokens = 2048,
  seed = 1,
  heads = HEADS,
  vocabulary = 'bytes',
}: TinyModelOptions = {}): Uint8Array {
  const { tokens, entries } = vocabulary === 'bytes' ? ofBytes() : ofWords()
  return writeGguf({
    entries: [
      ['general.architecture', text('llama')],
      ['general.type', text('model')],
      ['general.name', text('Tiny')],
      ['llama.context_length', uint32(contextTokens)],
      ['llama.embedding_length', uint32(WIDTH)],
      ['llama.block_count', uint32(LAYERS)],
      ['llama.feed_forward_length', uint32(INNER)],
      ['llama.attention.head_count', uint32(heads)],
      ['llama.attention.layer_norm_rms_epsilon', { type: 'float32', value: 1e-5 }],
      ['llama.vocab_size', uint32(tokens.length)],
      ['tokenizer.ggml.tokens', { type: 'list', of: 'text', value: tokens }],
      ...entries,
      ['tokenizer.ggml.bos_token_id', uint32(tokens.indexOf('<|bos|>'))],
      ['tokenizer.ggml.eos_token_id', uint32(tokens.indexOf('<|im_end|>'))],
      ['tokenizer.ggml.add_bos_token', { type: 'bool', value: true }],
      ['tokenizer.chat_template', text(chatTemplate)],
    ],
    tensors: tensorsOf(tokens.length, seed),
  })
}

interface Vocabulary {
  readonly tokens: readonly string[]
  readonly entries: readonly (readonly [string, Value])[]
}

function ofBytes(): Vocabulary {
  const bytes = Array.from({ length: 256 }, (_, byte) => letterOf(byte))
  // Loading requires at least one merge.
  const tokens = [...bytes, 'th', ...MARKS]
  const types = tokens.map((token) => (MARKS.includes(token) ? CONTROL : NORMAL))
  return {
    tokens,
    entries: [
      ['tokenizer.ggml.model', text('gpt2')],
      ['tokenizer.ggml.pre', text('gpt-2')],
      ['tokenizer.ggml.token_type', { type: 'list', of: 'int32', value: types }],
      ['tokenizer.ggml.merges', { type: 'list', of: 'text', value: ['t h'] }],
    ],
  }
}

function ofWords(): Vocabulary {
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${hexadecimal(byte)}>`)
  const letters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))
  const words = ['▁one', '▁two', '▁three', '▁', 'on', 'tw', 'o', '▁o', '▁t']
  const tokens = [...new Set(['<unk>', ...bytes, ...MARKS, ...words, ...letters])]
  const types = tokens.map((token) => {
    if (token === '<unk>') return UNKNOWN
    if (bytes.includes(token)) return BYTE
    return MARKS.includes(token) ? CONTROL : NORMAL
  })
  // Longer tokens are preferred.
  const scores = tokens.map((token) => token.length)
  return {
    tokens,
    entries: [
      ['tokenizer.ggml.model', text('llama')],
      ['tokenizer.ggml.token_type', { type: 'list', of: 'int32', value: types }],
      ['tokenizer.ggml.scores', { type: 'list', of: 'float32', value: scores }],
      ['tokenizer.ggml.unknown_token_id', uint32(0)],
    ],
  }
}

function hexadecimal(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0')
}

/** Formats messages, tools and calls like Qwen's templates. */
export const CHAT_TEMPLATE = `{%- if tools %}
<|im_start|>system
{%- if messages[0].role == 'system' %}
{{ messages[0].content }}
{%- endif %}
<tools>
{%- for tool in tools %}
{{ tool | tojson }}
{%- endfor %}
</tools>
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call><|im_end|>
{%- endif %}
{%- for message in messages %}
{%- if message.role != 'system' or not tools %}
<|im_start|>{{ message.role }}
{{ message.content }}
{%- for call in message.tool_calls or [] %}
<tool_call>
{"name": {{ call.function.name | tojson }}, "arguments": {{ call.function.arguments | tojson }}}
</tool_call>
{%- endfor %}<|im_end|>
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
<|im_start|>assistant
{% endif %}`

const WIDTH = 64
const LAYERS = 2
const INNER = 96
const HEADS = 4
const MARKS = ['<|bos|>', '<|im_start|>', '<|im_end|>', '<tool_call>', '</tool_call>']
const NORMAL = 1
const CONTROL = 3
const UNKNOWN = 2
const BYTE = 6

function tensorsOf(vocabulary: number, seed: number): Tensor[] {
  const random = randomNumbers(seed)
  const weights = (name: string, ...dimensions: number[]): Tensor => {
    const size = dimensions.reduce((product, dimension) => product * dimension, 1)
    const data = Float32Array.from({ length: size }, () => (random() - 0.5) / 4)
    return { name: `${name}.weight`, dimensions, data }
  }
  const norm = (name: string): Tensor => ({
    name: `${name}.weight`,
    dimensions: [WIDTH],
    data: new Float32Array(WIDTH).fill(1),
  })
  const layers = Array.from({ length: LAYERS }, (_, layer) => {
    const at = `blk.${layer}`
    return [
      norm(`${at}.attn_norm`),
      weights(`${at}.attn_q`, WIDTH, WIDTH),
      weights(`${at}.attn_k`, WIDTH, WIDTH),
      weights(`${at}.attn_v`, WIDTH, WIDTH),
      weights(`${at}.attn_output`, WIDTH, WIDTH),
      norm(`${at}.ffn_norm`),
      weights(`${at}.ffn_gate`, WIDTH, INNER),
      weights(`${at}.ffn_up`, WIDTH, INNER),
      weights(`${at}.ffn_down`, INNER, WIDTH),
    ]
  })
  return [
    weights('token_embd', WIDTH, vocabulary),
    ...layers.flat(),
    norm('output_norm'),
    weights('output', WIDTH, vocabulary),
  ]
}

/**
 * The letter for a byte in a byte-level vocabulary: itself if it is visible, else one of a higher
 * range.
 */
function letterOf(byte: number): string {
  const isVisible = (each: number): boolean =>
    (each >= 33 && each <= 126) || (each >= 161 && each <= 172) || each >= 174
  if (isVisible(byte)) return String.fromCodePoint(byte)
  const before = Array.from({ length: byte }, (_, each) => each).filter((each) => !isVisible(each))
  return String.fromCodePoint(256 + before.length)
}

/** Random numbers between 0 and 1, the same ones for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function text(value: string): Value {
  return { type: 'text', value }
}

function uint32(value: number): Value {
  return { type: 'uint32', value }
}
