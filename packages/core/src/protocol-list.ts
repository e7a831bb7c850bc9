// Written by npm run docs from protocols/index.ts.
import type { Protocol } from './protocol.ts'
import { apertus } from './protocols/apertus.ts'
import { apriel } from './protocols/apriel.ts'
import { cohere } from './protocols/cohere.ts'
import { cohereMd } from './protocols/cohere-md.ts'
import { deepseekDsml } from './protocols/deepseek-dsml.ts'
import { deepseekV3 } from './protocols/deepseek-v3.ts'
import { deepseekV31 } from './protocols/deepseek-v3.1.ts'
import { deepseekV32 } from './protocols/deepseek-v3.2.ts'
import { dots } from './protocols/dots.ts'
import { ernie } from './protocols/ernie.ts'
import { functionaryV32 } from './protocols/functionary-v3.2.ts'
import { functiongemma } from './protocols/functiongemma.ts'
import { functools } from './protocols/functools.ts'
import { gemma4 } from './protocols/gemma4.ts'
import { genericJson } from './protocols/generic-json.ts'
import { gigachat3 } from './protocols/gigachat3.ts'
import { glimmer } from './protocols/glimmer.ts'
import { glm } from './protocols/glm.ts'
import { glm47 } from './protocols/glm-4.7.ts'
import { granite } from './protocols/granite.ts'
import { granite20b } from './protocols/granite-20b.ts'
import { granite4 } from './protocols/granite-4.ts'
import { harmony } from './protocols/harmony.ts'
import { hermes } from './protocols/hermes.ts'
import { hunyuanA13b } from './protocols/hunyuan-a13b.ts'
import { hunyuanV3 } from './protocols/hunyuan-v3.ts'
import { inkling } from './protocols/inkling.ts'
import { internlm } from './protocols/internlm.ts'
import { jamba } from './protocols/jamba.ts'
import { jsonPlain } from './protocols/json.ts'
import { kExaone } from './protocols/k-exaone.ts'
import { kimiK2 } from './protocols/kimi-k2.ts'
import { kimiK3 } from './protocols/kimi-k3.ts'
import { laguna } from './protocols/laguna.ts'
import { lagunaS } from './protocols/laguna-s.ts'
import { lfm2 } from './protocols/lfm2.ts'
import { lfm25 } from './protocols/lfm2.5.ts'
import { llama3 } from './protocols/llama3.ts'
import { llama3Json } from './protocols/llama3-json.ts'
import { longcat } from './protocols/longcat.ts'
import { minicpm5 } from './protocols/minicpm5.ts'
import { minimaxM1 } from './protocols/minimax-m1.ts'
import { minimaxM2 } from './protocols/minimax-m2.ts'
import { minimaxM3 } from './protocols/minimax-m3.ts'
import { mistral } from './protocols/mistral.ts'
import { mistralArray } from './protocols/mistral-array.ts'
import { mistralSmall } from './protocols/mistral-small.ts'
import { morphXml } from './protocols/morph-xml.ts'
import { nemotron3 } from './protocols/nemotron-3.ts'
import { nemotronV2 } from './protocols/nemotron-v2.ts'
import { olmo3 } from './protocols/olmo3.ts'
import { ptk } from './protocols/ptk.ts'
import { pythonic } from './protocols/pythonic.ts'
import { qwen35 } from './protocols/qwen3.5.ts'
import { qwen3Coder } from './protocols/qwen3-coder.ts'
import { sarashina } from './protocols/sarashina.ts'
import { seedOss } from './protocols/seed-oss.ts'
import { solar } from './protocols/solar.ts'
import { step3 } from './protocols/step3.ts'
import { step35 } from './protocols/step-3.5.ts'
import { think } from './protocols/think.ts'
import { toolCall } from './protocols/tool-call.ts'
import { toolFunction } from './protocols/tool-function.ts'
import { toolXml } from './protocols/tool-xml.ts'
import { toolYaml } from './protocols/tool-yaml.ts'
import { vcp } from './protocols/vcp.ts'
import { xlam } from './protocols/xlam.ts'
import { yamlXml } from './protocols/yaml-xml.ts'

export const builtIn: readonly Protocol[] = [
  apertus,
  apriel,
  cohere,
  cohereMd,
  deepseekDsml,
  deepseekV3,
  deepseekV31,
  deepseekV32,
  dots,
  ernie,
  functionaryV32,
  functiongemma,
  functools,
  gemma4,
  genericJson,
  gigachat3,
  glimmer,
  glm,
  glm47,
  granite,
  granite20b,
  granite4,
  harmony,
  hermes,
  hunyuanA13b,
  hunyuanV3,
  inkling,
  internlm,
  jamba,
  jsonPlain,
  kExaone,
  kimiK2,
  kimiK3,
  laguna,
  lagunaS,
  lfm2,
  lfm25,
  llama3,
  llama3Json,
  longcat,
  minicpm5,
  minimaxM1,
  minimaxM2,
  minimaxM3,
  mistral,
  mistralArray,
  mistralSmall,
  morphXml,
  nemotron3,
  nemotronV2,
  olmo3,
  ptk,
  pythonic,
  qwen35,
  qwen3Coder,
  sarashina,
  seedOss,
  solar,
  step3,
  step35,
  think,
  toolCall,
  toolFunction,
  toolXml,
  toolYaml,
  vcp,
  xlam,
  yamlXml,
]
