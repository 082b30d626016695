/** OpenAPI example values for fields of media files and uploads, by GraphQL coordinate. */
export const fields = {
  'Upload.uploadUrl': 'https://api.shop.example/media/uploads/018f6f3e-7a50-7d1c-8b1a-3f0c2f7e9d11',
  'UploadField.name': 'token',
  'UploadField.value': '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'MediaFile.fileName': 'cup.jpg',
  'MediaFile.mimeType': 'image/jpeg',
  'MediaFile.alt': 'A cup on a table',
  'MediaResolution.mimeType': 'image/webp',
  'MediaResolution.url': 'https://api.shop.example/media/cup-640.webp',
  'MediaFile.url': 'https://api.shop.example/media/cup.jpg',
};
