/** The meaning of a color: done, waiting, failed, a call, forged, or reasoning. */
export type Tone = 'ok' | 'ask' | 'no' | 'call' | 'fake' | 'think'
