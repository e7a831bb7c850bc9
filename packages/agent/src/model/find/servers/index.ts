import type { LocalServer } from '../local-server.ts'
import { llamaCpp } from './llama-cpp.ts'
import { lmStudio } from './lm-studio.ts'
import { ollama } from './ollama.ts'
import { vllm } from './vllm.ts'

/** The supported local servers, in order of preference. */
export const localServers: readonly LocalServer[] = [ollama, llamaCpp, lmStudio, vllm]
