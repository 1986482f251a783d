"""Calls the tools of svc mcp with the client of PyPI's package mcp, and prints what it received as JSON."""

import asyncio
import base64
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters, stdio_client


async def main(command, *args):
    server = StdioServerParameters(command=command, args=list(args), env=dict(os.environ))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        started = await session.initialize()

        async def call(name, arguments):
            result = await session.call_tool(name, arguments)
            return result.content[0].text

        sent = json.loads(await call("send_email", {"to": "ada@example.test", "html": "<p>Your code is 493817</p>"}))
        uri = f"svc://emails/{sent['id']}"
        text = await session.read_resource(f"{uri}/text")
        raw = await session.read_resource(f"{uri}/raw")
        tools = await session.list_tools()
        templates = await session.list_resource_templates()
        print(json.dumps({
            "instructions": started.instructions,
            "tools": [tool.name for tool in tools.tools],
            "templates": len(json.loads(templates.model_dump_json(by_alias=True))["resourceTemplates"]),
            "sent": sent,
            "found": json.loads(await call("wait_for_email", {"query": "to:ada@example.test"})),
            "code": json.loads(await call("extract_from_email", {"id": sent["id"], "part": "code"})),
            "unknown": (await session.call_tool("get_email", {"id": "msg_none"})).model_dump(by_alias=True),
            "text": text.contents[0].text,
            "raw": base64.b64decode(raw.contents[0].blob).decode(),
        }))


asyncio.run(main(*sys.argv[1:]))
