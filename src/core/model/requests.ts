/** A request as the request log keeps it: without its key, body and query. */
export interface NewRequest {
  id: string;
  createdAt: number;
  method: string;
  path: string;
  status: number;
  ms: number;
  keyId: string | null;
  errorCode: string | null;
  warnings: string[];
}

export interface RequestRecord extends NewRequest {
  /** Rises with every request; a reader's cursor. */
  seq: number;
}

export interface RequestFilter {
  status?: { from: number; to: number } | undefined;
  /** A path in which `*` matches any text. */
  path?: string | undefined;
  method?: string | undefined;
}
