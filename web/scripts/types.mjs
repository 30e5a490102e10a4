// TypeScript types of everything that is sent, from the server's own description. Usage: node types.mjs SCHEMA OUT
import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const nameOf = (name) => name.replace(".", "");
const quoted = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

function typeOf(schema) {
  if (schema.$ref) return nameOf(schema.$ref.split("/").pop());
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  const any = schema.anyOf ?? schema.oneOf;
  if (any) return any.map(typeOf).join(" | ");
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(", ")}]`;
  switch (schema.type) {
    case "integer":
    case "number":
      return "number";
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `(${schema.items ? typeOf(schema.items) : "unknown"})[]`;
    case "object":
      return objectOf(schema);
    default:
      return "unknown";
  }
}

function objectOf(schema) {
  if (!schema.properties) {
    const value = schema.additionalProperties;
    return `Record<string, ${value && value !== true ? typeOf(value) : "unknown"}>`;
  }
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).map(
    ([name, each]) => `  ${quoted(name)}${required.has(name) ? "" : "?"}: ${typeOf(each)};`,
  );
  return `{\n${fields.join("\n")}\n}`;
}

/** An event as it is told: which body goes with which name. */
function toldType(schema) {
  const kinds = schema.oneOf.map(({ properties: { name, body } }) => `  ${name.const}: ${typeOf(body)};`);
  return [
    `export interface EventBodies {\n${kinds.join("\n")}\n}`,
    "export type ToldOf<N extends keyof EventBodies> = { number: number; name: N; at: number; position: string; body: EventBodies[N]; by?: string | null };",
    "export type Told = { [N in keyof EventBodies]: ToldOf<N> }[keyof EventBodies];",
  ].join("\n");
}

/** The text of the module, from an OpenAPI document. */
export function typesFrom(description) {
  const parts = ["// Made from the server's description by scripts/types.mjs. Do not edit; it is not committed."];
  for (const [name, schema] of Object.entries(description.components.schemas)) {
    if (name === "Told") parts.push(toldType(schema));
    else parts.push(`export type ${nameOf(name)} = ${typeOf(schema)};`);
  }
  return `${parts.join("\n\n")}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [schema, out] = process.argv.slice(2);
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, typesFrom(JSON.parse(readFileSync(schema, "utf8"))));
}
