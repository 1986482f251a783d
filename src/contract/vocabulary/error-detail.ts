/** One invalid field or parameter. `path` looks like `attachments.0.content`. Gap 12. */
export interface ErrorDetail {
  path: string;
  message: string;
}
