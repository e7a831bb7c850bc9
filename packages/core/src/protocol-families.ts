// Written by npm run docs from protocols/index.ts.
import type { Family } from './protocol.ts'
import { family as apertus } from './protocols/apertus.ts'
import { family as apriel } from './protocols/apriel.ts'
import { family as cohere } from './protocols/cohere.ts'
import { family as cohereMd } from './protocols/cohere-md.ts'
import { family as deepseekDsml } from './protocols/deepseek-dsml.ts'
import { family as deepseekV3 } from './protocols/deepseek-v3.ts'
import { family as deepseekV31 } from './protocols/deepseek-v3.1.ts'
import { family as deepseekV32 } from './protocols/deepseek-v3.2.ts'
import { family as dots } from './protocols/dots.ts'
import { family as ernie } from './protocols/ernie.ts'
import { family as functionaryV32 } from './protocols/functionary-v3.2.ts'
import { family as functiongemma } from './protocols/functiongemma.ts'
import { family as functools } from './protocols/functools.ts'
import { family as gemma4 } from './protocols/gemma4.ts'
import { family as genericJson } from './protocols/generic-json.ts'
import { family as gigachat3 } from './protocols/gigachat3.ts'
import { family as glimmer } from './protocols/glimmer.ts'
import { family as glm } from './protocols/glm.ts'
import { family as glm47 } from './protocols/glm-4.7.ts'
import { family as granite } from './protocols/granite.ts'
import { family as granite20b } from './protocols/granite-20b.ts'
import { family as granite4 } from './protocols/granite-4.ts'
import { family as harmony } from './protocols/harmony.ts'
import { family as hermes } from './protocols/hermes.ts'
import { family as hunyuanA13b } from './protocols/hunyuan-a13b.ts'
import { family as hunyuanV3 } from './protocols/hunyuan-v3.ts'
import { family as inkling } from './protocols/inkling.ts'
import { family as internlm } from './protocols/internlm.ts'
import { family as jamba } from './protocols/jamba.ts'
import { family as jsonPlain } from './protocols/json.ts'
import { family as kExaone } from './protocols/k-exaone.ts'
import { family as kimiK2 } from './protocols/kimi-k2.ts'
import { family as kimiK3 } from './protocols/kimi-k3.ts'
import { family as laguna } from './protocols/laguna.ts'
import { family as lagunaS } from './protocols/laguna-s.ts'
import { family as lfm2 } from './protocols/lfm2.ts'
import { family as lfm25 } from './protocols/lfm2.5.ts'
import { family as llama3 } from './protocols/llama3.ts'
import { family as llama3Json } from './protocols/llama3-json.ts'
import { family as longcat } from './protocols/longcat.ts'
import { family as minicpm5 } from './protocols/minicpm5.ts'
import { family as minimaxM1 } from './protocols/minimax-m1.ts'
import { family as minimaxM2 } from './protocols/minimax-m2.ts'
import { family as minimaxM3 } from './protocols/minimax-m3.ts'
import { family as mistral } from './protocols/mistral.ts'
import { family as mistralArray } from './protocols/mistral-array.ts'
import { family as mistralSmall } from './protocols/mistral-small.ts'
import { family as morphXml } from './protocols/morph-xml.ts'
import { family as nemotron3 } from './protocols/nemotron-3.ts'
import { family as nemotronV2 } from './protocols/nemotron-v2.ts'
import { family as olmo3 } from './protocols/olmo3.ts'
import { family as ptk } from './protocols/ptk.ts'
import { family as pythonic } from './protocols/pythonic.ts'
import { family as qwen35 } from './protocols/qwen3.5.ts'
import { family as qwen3Coder } from './protocols/qwen3-coder.ts'
import { family as sarashina } from './protocols/sarashina.ts'
import { family as seedOss } from './protocols/seed-oss.ts'
import { family as solar } from './protocols/solar.ts'
import { family as step3 } from './protocols/step3.ts'
import { family as step35 } from './protocols/step-3.5.ts'
import { family as think } from './protocols/think.ts'
import { family as toolCall } from './protocols/tool-call.ts'
import { family as toolFunction } from './protocols/tool-function.ts'
import { family as toolXml } from './protocols/tool-xml.ts'
import { family as toolYaml } from './protocols/tool-yaml.ts'
import { family as vcp } from './protocols/vcp.ts'
import { family as xlam } from './protocols/xlam.ts'
import { family as yamlXml } from './protocols/yaml-xml.ts'

export const families: readonly Family[] = [
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
