/** The meaning of a color: done, waiting, failed, a call, made up by the model, or reasoning. */
export type Tone = 'ok' | 'ask' | 'no' | 'call' | 'fake' | 'think'
