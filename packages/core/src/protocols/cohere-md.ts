import { calls, json, output, wire } from '../draw.ts'
import { pythonSignature } from '../prompt/python-signature.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/** Differs: the template spreads each call over several lines, and mentions a tool for answers. */
export const cohereMd: Protocol<'cohere-md'> = {
  id: 'cohere-md',
  section: wire`Action:\n\`\`\`json\n[\n    ${calls({ separator: ',\n    ' })}\n]\`\`\``,
  call: wire`${json({ name: 'tool_name', args: ['parameters', 'arguments'] })}`,
  ignore: ['<|START_OF_TURN_TOKEN|>', '<|CHATBOT_TOKEN|>', '<|END_OF_TURN_TOKEN|>'],
  result: wire`<results>\n${output}</results>`,
}

export const family: Family = {
  about: 'Command R and R+: a fenced JSON list after "Action:"',
  models: [/command-?r(?!7)/i],
  template: 'json-formatted list of actions',
}

export const prompt: Prompt = ({ tools }) => `## Available Tools
Here is a list of tools that you have available to you:

${tools.map(pythonSignature).join('\n\n')}

Write 'Action:' followed by a json-formatted list of actions that you want to perform in order to produce a good response to the user's last input. You can use any of the supplied tools any number of times, but you should aim to execute the minimum number of necessary actions for the input. The list of actions you want to call should be formatted as a list of json objects, for example:
\`\`\`json
[
    {
        "tool_name": title of the tool in the specification,
        "parameters": a dict of parameters to input into the tool as they are defined in the specs, or {} if it takes no parameters
    }
]\`\`\``

export const examples: Examples = {
  'one call': {
    wire: 'Action:\n```json\n[\n    {"tool_name": "ping", "parameters": {}}\n]```',
    calls: [['ping', {}]],
  },
}
