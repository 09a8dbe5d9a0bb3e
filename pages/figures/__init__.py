"""Result records in, Plotly figures out; no Streamlit here."""
