"""The adaptation page: public data beside private."""
