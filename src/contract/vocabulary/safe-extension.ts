/** Extensions of files that programs show without running them. Any other one is followed by `.txt`. */
const SAFE_EXTENSIONS = new Set(
  (
    '.txt .csv .tsv .json .log .md .ics .vcf .eml .pdf .rtf .doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp .png .jpg ' +
    '.jpeg .gif .webp .bmp .tif .tiff .heic .mp3 .m4a .wav .ogg .mp4 .mov .webm .zip .gz .tgz .tar .7z .asc .sig .bin'
  ).split(' '),
);

/** An extension: the only part of the sender's file name that is used. */
const EXTENSION = /[^/\\](\.[a-z0-9]{1,8})$/;

const IMAGE_TYPE = /^image\/(png|jpeg|gif|webp)$/;

/** Returns the extension of a file that an attachment is saved to, from the name and type that its sender chose. */
export function safeExtension(filename: string, type: string): string {
  const extension = EXTENSION.exec(filename.toLowerCase())?.[1];
  if (extension !== undefined) return SAFE_EXTENSIONS.has(extension) ? extension : `${extension}.txt`;
  // An inline image often has no file name.
  return IMAGE_TYPE.test(type) ? `.${type.slice('image/'.length)}` : '.bin';
}
