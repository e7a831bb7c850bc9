// Written by npm run docs from protocols/index.ts.
import type { Prompt } from './protocol.ts'
import { prompt as apertus } from './protocols/apertus.ts'
import { prompt as apriel } from './protocols/apriel.ts'
import { prompt as cohere } from './protocols/cohere.ts'
import { prompt as cohereMd } from './protocols/cohere-md.ts'
import { prompt as deepseekDsml } from './protocols/deepseek-dsml.ts'
import { prompt as deepseekV3 } from './protocols/deepseek-v3.ts'
import { prompt as deepseekV31 } from './protocols/deepseek-v3.1.ts'
import { prompt as deepseekV32 } from './protocols/deepseek-v3.2.ts'
import { prompt as dots } from './protocols/dots.ts'
import { prompt as ernie } from './protocols/ernie.ts'
import { prompt as functionaryV32 } from './protocols/functionary-v3.2.ts'
import { prompt as functiongemma } from './protocols/functiongemma.ts'
import { prompt as functools } from './protocols/functools.ts'
import { prompt as gemma4 } from './protocols/gemma4.ts'
import { prompt as genericJson } from './protocols/generic-json.ts'
import { prompt as gigachat3 } from './protocols/gigachat3.ts'
import { prompt as glimmer } from './protocols/glimmer.ts'
import { prompt as glm } from './protocols/glm.ts'
import { prompt as glm47 } from './protocols/glm-4.7.ts'
import { prompt as granite } from './protocols/granite.ts'
import { prompt as granite20b } from './protocols/granite-20b.ts'
import { prompt as granite4 } from './protocols/granite-4.ts'
import { prompt as harmony } from './protocols/harmony.ts'
import { prompt as hermes } from './protocols/hermes.ts'
import { prompt as hunyuanA13b } from './protocols/hunyuan-a13b.ts'
import { prompt as hunyuanV3 } from './protocols/hunyuan-v3.ts'
import { prompt as inkling } from './protocols/inkling.ts'
import { prompt as internlm } from './protocols/internlm.ts'
import { prompt as jamba } from './protocols/jamba.ts'
import { prompt as jsonPlain } from './protocols/json.ts'
import { prompt as kExaone } from './protocols/k-exaone.ts'
import { prompt as kimiK2 } from './protocols/kimi-k2.ts'
import { prompt as kimiK3 } from './protocols/kimi-k3.ts'
import { prompt as laguna } from './protocols/laguna.ts'
import { prompt as lagunaS } from './protocols/laguna-s.ts'
import { prompt as lfm2 } from './protocols/lfm2.ts'
import { prompt as lfm25 } from './protocols/lfm2.5.ts'
import { prompt as llama3 } from './protocols/llama3.ts'
import { prompt as llama3Json } from './protocols/llama3-json.ts'
import { prompt as longcat } from './protocols/longcat.ts'
import { prompt as minicpm5 } from './protocols/minicpm5.ts'
import { prompt as minimaxM1 } from './protocols/minimax-m1.ts'
import { prompt as minimaxM2 } from './protocols/minimax-m2.ts'
import { prompt as minimaxM3 } from './protocols/minimax-m3.ts'
import { prompt as mistral } from './protocols/mistral.ts'
import { prompt as mistralArray } from './protocols/mistral-array.ts'
import { prompt as mistralSmall } from './protocols/mistral-small.ts'
import { prompt as morphXml } from './protocols/morph-xml.ts'
import { prompt as nemotron3 } from './protocols/nemotron-3.ts'
import { prompt as nemotronV2 } from './protocols/nemotron-v2.ts'
import { prompt as olmo3 } from './protocols/olmo3.ts'
import { prompt as ptk } from './protocols/ptk.ts'
import { prompt as pythonic } from './protocols/pythonic.ts'
import { prompt as qwen35 } from './protocols/qwen3.5.ts'
import { prompt as qwen3Coder } from './protocols/qwen3-coder.ts'
import { prompt as sarashina } from './protocols/sarashina.ts'
import { prompt as seedOss } from './protocols/seed-oss.ts'
import { prompt as solar } from './protocols/solar.ts'
import { prompt as step3 } from './protocols/step3.ts'
import { prompt as step35 } from './protocols/step-3.5.ts'
import { prompt as think } from './protocols/think.ts'
import { prompt as toolCall } from './protocols/tool-call.ts'
import { prompt as toolFunction } from './protocols/tool-function.ts'
import { prompt as toolXml } from './protocols/tool-xml.ts'
import { prompt as toolYaml } from './protocols/tool-yaml.ts'
import { prompt as vcp } from './protocols/vcp.ts'
import { prompt as xlam } from './protocols/xlam.ts'
import { prompt as yamlXml } from './protocols/yaml-xml.ts'

export const prompts: readonly Prompt[] = [
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
