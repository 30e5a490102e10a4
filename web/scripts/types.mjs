// TypeScript types of everything that is sent, from the server's OpenAPI document.
import openapiTypescript, { astToString } from "openapi-typescript";

const HEADER = "// Generated from the server's OpenAPI document by scripts/types.mjs. Not committed; do not edit.\n";

/** What a schema requires is also required of its alternatives; openapi-typescript does not look there. */
function requireInAlternatives(schema) {
  if (!schema.required || !schema.oneOf) return schema;
  const oneOf = schema.oneOf.map((each) => ({
    ...each,
    required: schema.required.filter((name) => name in (each.properties ?? {})),
  }));
  return { ...schema, oneOf };
}

/** Return the text of a module that exports each component of the document under its own name. */
export async function typesFrom(document) {
  const named = Object.entries(document.components.schemas);
  const schemas = Object.fromEntries(named.map(([name, schema]) => [name, requireInAlternatives(schema)]));
  const components = { ...document.components, schemas };
  const options = {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
  };
  return HEADER + astToString(await openapiTypescript({ ...document, components }, options));
}
