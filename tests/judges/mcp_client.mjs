// Asks an MCP server by the protocol's own client: reads {url, headers, calls: [[name, arguments]]}, prints what it heard.
import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const { url, headers, calls } = JSON.parse(readFileSync(0, 'utf8'))
const client = new Client({ name: 'minato-judge', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
const { tools } = await client.listTools()
const results = []
for (const [name, given] of calls) {
  results.push(await client.callTool({ name, arguments: given }))
}
const heard = { server: client.getServerVersion(), instructions: client.getInstructions(), tools, results }
await client.close()
process.stdout.write(JSON.stringify(heard))
